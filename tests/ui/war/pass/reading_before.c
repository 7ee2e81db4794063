//! The region writes the counter first, whatever the setting is.
#include <brownout.h>

int setting(void) BROWNOUT_INPUT;
BROWNOUT_NV int count;

int main(void) {
    int set = setting();
    brownout_checkpoint();
    if (set & 1)
        count = 1;
    else
        count = 5;
    count++;
    brownout_checkpoint();
    return 0;
}
