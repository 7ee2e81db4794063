//! A checksum over a table is made once, when the device is new, in non-volatile memory: every attempt begins with zero.
//! The table is filled by a loop that every boot executes.
//@ policy: restart
__attribute__((section(".nv"))) volatile unsigned checksum;
__attribute__((section(".nv"))) unsigned char known;
__attribute__((section(".nv"))) volatile unsigned faults;
__attribute__((section(".nv"))) volatile unsigned char table[12];

static unsigned sum_of_table(void) {
    unsigned sum = 0;
    for (unsigned char i = 0; i < 12; i++)
        sum += table[i];
    return sum;
}

int main(void) {
    for (unsigned char i = 0; i < 12; i++)
        table[i] = i * 7;
    if (!known) {
        checksum = 0;
        for (unsigned char i = 0; i < 12; i++)
            checksum += table[i];
        known = 1;
    }
    for (;;)
        faults = faults + (sum_of_table() != checksum);
}
