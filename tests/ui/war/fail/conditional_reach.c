//! Both are within reach of the first checkpoint.
//@ policy: conditional
//@ depth: 200
#include <brownout.h>

int level = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = level; //~ NOTE [war] read here
    for (int i = 0; i < 2; i++)
        ;
    level = 2; //~ ERROR [war] `level`; `seen` = 2 instead of 1
    return 0;
}
