//! A valve is opened in one round and closed in another one; the output comes first.
//@ policy: restart
//@ config: [[output]]
//@ config: function = "valve"
//@ config: semantics = "absolute"
__attribute__((section(".nv"))) volatile unsigned char state;
void valve(int open);

int main(void) {
    for (;;) {
        if (state == 0) {
            valve(1);
            state = 1;
        } else {
            valve(0);
            state = 0;
        }
    }
}
