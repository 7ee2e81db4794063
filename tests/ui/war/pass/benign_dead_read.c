//! What was read is overwritten before anybody sees it.
#include <brownout.h>

int level = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = level;
    level = 2; //~ NOTE [war] benign
    seen = 0;
    return 0;
}
