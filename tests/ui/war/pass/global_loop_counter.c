//! The checkpoint before the loop: every attempt starts from zero.
#include <brownout.h>

int i;
int out;

int main(void) {
    brownout_checkpoint();
    for (i = 0; i < 3; i++) {
        out = 1;
    }
    return 0;
}
