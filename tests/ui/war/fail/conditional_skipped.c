//! The second checkpoint may not commit: power fails after it, execution resumes at the first.
//@ policy: conditional
//@ depth: 1000
#include <brownout.h>

int level = 1;
int seen;

int main(void) {
    brownout_checkpoint();
    seen = level; //~ NOTE [war] read here
    brownout_checkpoint();
    level = 2; //~ ERROR [war] `level`; `seen` = 2 instead of 1
    return 0;
}
