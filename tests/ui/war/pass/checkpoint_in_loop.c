//! A checkpoint between the read and the write of each iteration.
#include <brownout.h>

int values[3] = {1, 2, 3};
int total;

int main(void) {
    for (int i = 0; i < 3; i++) {
        int sum = total + values[i];
        brownout_checkpoint();
        total = sum;
    }
    return 0;
}
