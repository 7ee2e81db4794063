//! Every region reads what it overwrites.
#include <brownout.h>

int values[2] = {1, 1};

int main(void) {
    for (int i = 0; i < 4; i++) {
        brownout_checkpoint();
        values[0] = values[0] * 2; //~ ERROR [war] `values[0]`; `values[0]` = 4 instead of 2
    }
    return 0;
}
