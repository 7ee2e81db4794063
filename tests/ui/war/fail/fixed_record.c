//! A record at a fixed address whose two words a power failure tears apart: the next boot begins at zero.
//@ policy: restart
//@ config: chip = "msp430fr5969"

typedef struct { unsigned boots, check; } Record;
#define RECORD ((volatile Record *)0x1800)

int main(void) {
    unsigned boots = RECORD->boots;
    if (RECORD->check != (unsigned)~boots) {
        boots = 0;
    }
    RECORD->boots = boots + 1; //~ ERROR [war] `0x1800`
    RECORD->check = ~(boots + 1);
    for (;;) {}
}
