//! A redo log. Optimised, the main loop shares its end with recovery and is entered at two places.
//@ config: [memory]
//@ config: nonvolatile = ["section:.nv"]
#define NV __attribute__((section(".nv")))
NV int table[8];
NV volatile int entries;
NV volatile int committed;
NV struct { int index, value; } entry[4];

static void apply(void) {
    for (int i = 0; i < entries; i++)
        table[entry[i].index] = entry[i].value;
    committed = 0;
}

int main(void) {
    if (committed)
        apply();
    for (;;) {
        entries = 1;
        entry[0].index = 0;
        entry[0].value = table[0] + 1;
        committed = 1;
        apply();
    }
}
