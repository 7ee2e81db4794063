//! Counted before it is noted that nothing is pending. If the next key comes right after the reboot, nothing is
//! counted twice: it takes another reading than the first boot begins with.
//@ policy: restart
//@ config: [[input]]
//@ config: function = "key"
//@ config: values = [-1, 1, -1, 1]
//@ config: at-end = "repeat"
__attribute__((section(".nv"))) volatile unsigned char pending;
__attribute__((section(".nv"))) volatile unsigned count;
int key(void);

int main(void) {
    for (;;) {
        if (key() < 0) {
            pending = 1;
        } else if (pending) {
            count++; //~ ERROR [war] `count`
            pending = 0;
        }
    }
}
