//! A transfer that a failure cuts in half.
//@ restart: harm
//@ static: harm
#include <brownout.h>

BROWNOUT_NV int a = 100, b;

int main(void) {
    for (;;) {
        brownout_checkpoint();
        a = a - 10;               //~ static: a
        b = b + 10;               //~ static: b
    }                             //~^^ restart: b
}
