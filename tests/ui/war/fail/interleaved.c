//! Odd bytes are read, odd bytes are written.
#include <brownout.h>

unsigned char bytes[8] = {1, 2, 3, 4, 5, 6, 7, 8};
int sum;

int main(void) {
    int s = 0;
    brownout_checkpoint();
    for (int i = 0; i < 4; i++)
        s += bytes[2 * i + 1]; //~ NOTE [war] read here
    sum = s;
    for (int i = 0; i < 4; i++)
        bytes[2 * i + 1] = 0; //~ ERROR [war] `bytes[1..8]`; `sum` = 18 instead of 20
    return 0;
}
