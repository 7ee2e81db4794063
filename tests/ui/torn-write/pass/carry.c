//! A counter of one word is never torn.
//@ policy: restart
__attribute__((section(".nv"))) volatile unsigned count;

int main(void) {
    for (;;)
        count++;
}
