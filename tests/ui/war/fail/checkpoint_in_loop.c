//! A checkpoint at the head of the loop: each iteration reads and writes the total.
#include <brownout.h>

int values[3] = {1, 2, 3};
int total;

int main(void) {
    for (int i = 0; i < 3; i++) {
        brownout_checkpoint();
        int sum = total + values[i]; //~ NOTE [war] read here
        total = sum; //~ ERROR [war] `total`; `total` = 2 instead of 1
    }
    return 0;
}
