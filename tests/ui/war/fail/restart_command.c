//! A command that is one of 65,536: what it does is executed all the same.
//@ policy: restart
#include <brownout.h>

unsigned short command(void) BROWNOUT_INPUT;
BROWNOUT_NV unsigned short from = 1000, to;

int main(void) {
    for (;;) {
        if (command() == 0xBEEF) {
            from -= 10; //~ ERROR [war] `from`
            to += 10;
        }
    }
}
