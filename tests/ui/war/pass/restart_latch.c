//! A reading is kept, sent, and released. After a failure the boot sends what was kept, and reads the next one a round later
//! than a boot that has nothing to send.
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
            payload = sense();
            ready = 1;
        }
        send(payload);
        ready = 0;
    }
}
