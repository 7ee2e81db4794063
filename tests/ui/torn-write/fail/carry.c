//! A counter of two words. It is torn where the first word overflows, long after the first rounds.
//@ policy: restart
__attribute__((section(".nv"))) volatile unsigned long count;

int main(void) {
    for (;;)
        count++; //~ ERROR [torn-write] `count`
}
