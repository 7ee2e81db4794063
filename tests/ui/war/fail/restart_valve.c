//! A valve is opened in one round and closed in another one. A failure in between the state and the output leaves it
//! closed: that the next round sets it, too, elsewhere, is no help.
//@ policy: restart
//@ config: [[output]]
//@ config: function = "valve"
//@ config: semantics = "absolute"
__attribute__((section(".nv"))) volatile unsigned char state;
void valve(int open);

int main(void) {
    for (;;) {
        if (state == 0) {
            state = 1; //~ ERROR [war] `state`
            valve(1);
        } else {
            state = 0; //~ ERROR [war] `state`
            valve(0);
        }
    }
}
