//! One sum for each boot. A failure adds one number twice: that result is wrong, although the next boot puts it right.
//@ restart: harm
#include <brownout.h>

BROWNOUT_NV int number, sum, result;

int main(void) {
    while (number < 3) {
        sum = sum + number * number + 1;   //~ restart: result
        number = number + 1;
    }
    result = sum;
    sum = 0;           //~ restart: result
    number = 0;
    return 0;
}
