//! Applying the log twice is not the same as applying it once.
//@ config: [memory]
//@ config: nonvolatile = ["section:.nv"]
#define NV __attribute__((section(".nv")))
NV int table[8];
NV volatile int entries;
NV volatile int committed;
NV volatile struct { int index, value; } entry[4];

static void apply(void) {
    for (int i = 0; i < entries; i++)
        table[entry[i].index] += entry[i].value; //~ ERROR [war] `table[0]`
    committed = 0;
}

int main(void) {
    if (committed)
        apply();
    for (;;) {
        entries = 1;
        entry[0].index = 0;
        entry[0].value = 1;
        committed = 1;
        apply();
    }
}
