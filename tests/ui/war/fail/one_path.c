//! The read is exposed on the path that was taken.
#include <brownout.h>

int fresh;
int level = 2;
int seen;

int main(void) {
    brownout_checkpoint();
    if (fresh)
        level = 3;
    seen = level; //~ NOTE [war] read here
    level = 5; //~ ERROR [war] `level`; `seen` = 5 instead of 2
    return 0;
}
