//! The pair occurs in forty regions and does harm in the thirty-first.
#include <brownout.h>

int level;
int seen;

int main(void) {
    int t = 0;
    for (int i = 0; i < 40; i++) {
        brownout_checkpoint();
        t = level; //~ NOTE [war] read here
        level = i + 1; //~ ERROR [war] `level`; `seen` = 31 instead of 30
        if (i == 30)
            seen = t;
        t = 0;
    }
    return 0;
}
