//! A configuration in two slots; the one with the higher number counts, and it is written last.
//@ restart: harmless
//@ restart fresh: harmless
//@ input receive: 4 9 2 7 5
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;
void use(int value) BROWNOUT_OUTPUT();

struct slot { int number, value; };
BROWNOUT_NV struct slot slots[2] = {{1, 100}, {0, 0}};

int main(void) {
    for (;;) {
        int live = slots[1].number > slots[0].number;
        use(slots[live].value);
        slots[!live].value = receive();
        slots[!live].number = slots[live].number + 1;
    }
}
