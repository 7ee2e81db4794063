//! The flag is set last: after a failure the work is done, whoever did it.
#include <brownout.h>

int ready;
int table;

int main(void) {
    brownout_checkpoint();
    if (!ready) {
        table = 7;
        ready = 1; //~ NOTE [war] benign
    }
    return 0;
}
