//! A reading counts as kept before it is: a failure in between sends the last one once more instead.
//@ policy: restart
//@ config: [[input]]
//@ config: function = "sense"
//@ config: values = [21, 22, 23, 24, 25, 26, 27]
//@ config: [[output]]
//@ config: function = "send"
__attribute__((section(".nv"))) volatile int payload;
__attribute__((section(".nv"))) volatile unsigned char ready;
int sense(void);
void send(int value);

int main(void) {
    for (;;) {
        if (!ready) {
            ready = 1; //~ ERROR [war] `ready`
            payload = sense();
        }
        send(payload);
        ready = 0;
    }
}
