//! A checksum over a table is made once, when the device is new, in non-volatile memory. After a power failure in the loop
//! what was added before is added again: the loop takes nothing in and shows nothing, so it is one piece of work, and no
//! moment between two of its rounds excuses that.
//@ policy: restart
__attribute__((section(".nv"))) volatile unsigned checksum;
__attribute__((section(".nv"))) unsigned char known;
__attribute__((section(".nv"))) volatile unsigned faults;
volatile unsigned char table[12] = {7, 1, 8, 2, 8, 1, 8, 2, 8, 4, 5, 9};

static unsigned sum_of_table(void) {
    unsigned sum = 0;
    for (unsigned char i = 0; i < 12; i++)
        sum += table[i];
    return sum;
}

int main(void) {
    if (!known) {
        for (unsigned char i = 0; i < 12; i++)
            checksum += table[i]; //~ ERROR [war] `checksum`
        known = 1;
    }
    for (;;)
        faults = faults + (sum_of_table() != checksum);
}
