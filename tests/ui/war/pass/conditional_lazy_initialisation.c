//! The flag is set last. The two executions meet again, a few instructions apart.
//@ policy: conditional
//@ depth: 200
#include <brownout.h>

int ready;
int table;

int main(void) {
    brownout_checkpoint();
    if (!ready) {
        table = 7;
        ready = 1; //~ NOTE [war] benign
    }
    for (int i = 0; i < 100; i++)
        ;
    return 0;
}
