//! One account says it all: the other is what is missing.
//@ restart: harmless
#include <brownout.h>

void show(int a, int b) BROWNOUT_OUTPUT();

BROWNOUT_NV int a = 100;

int main(void) {
    for (;;) {
        show(a, 100 - a);
        a = a - 10;
    }
}
