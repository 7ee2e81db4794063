//! What is pending is what the count will be.
//@ policy: restart
//@ config: [[input]]
//@ config: function = "key"
//@ config: values = [-1, 1, -1, 1]
//@ config: at-end = "repeat"
__attribute__((section(".nv"))) volatile unsigned pending;
__attribute__((section(".nv"))) volatile unsigned count;
int key(void);

int main(void) {
    for (;;) {
        if (key() < 0) {
            pending = count + 1;
        } else if (pending) {
            count = pending;
            pending = 0;
        }
    }
}
