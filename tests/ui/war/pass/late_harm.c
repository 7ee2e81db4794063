//! It never does.
#include <brownout.h>

int level;
int seen;

int main(void) {
    int t = 0;
    for (int i = 0; i < 40; i++) {
        brownout_checkpoint();
        t = level;
        level = i + 1; //~ NOTE [war] benign
        if (i == 30)
            seen = i;
        t = 0;
    }
    return 0;
}
