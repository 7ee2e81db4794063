//! What is done again does the same: bits that are set and cleared, and limits.
//@ args: --static
unsigned flags, config, frame[8];
unsigned lowest, interval;

void program(unsigned mask, unsigned gain, unsigned page, unsigned at) {
    flags |= 4;
    flags &= ~mask;
    config &= ~0x1800u;
    config |= gain << 11;
    frame[at & 7] |= mask;
    if (page < lowest) {
        lowest = page;
    }
    if (interval > 3600) {
        interval = 3600;
    }
}
