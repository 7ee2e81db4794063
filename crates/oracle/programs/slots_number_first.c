//! The number is written first: the slot counts before its value is there.
//@ restart: harm
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
        slots[!live].number = slots[live].number + 1;    //~ restart: use
        slots[!live].value = receive();
    }
}
