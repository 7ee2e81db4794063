//! The twin of `fail/fixed_record.c`: the count is one word, which one store changes.
//@ policy: restart
//@ config: chip = "msp430fr5969"

typedef struct { unsigned boots; } Record;
#define RECORD ((volatile Record *)0x1800)

int main(void) {
    unsigned boots = RECORD->boots;
    RECORD->boots = boots + 1;
    for (;;) {}
}
