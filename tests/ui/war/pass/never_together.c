//! A checkpoint between the read and the write: no readings lead from one to the other.
//@ nv: symbol:limit
//@ config: [[input]]
//@ config: function = "first"
//@ config: values = [1, 0]
//@ config: [[input]]
//@ config: function = "second"
//@ config: values = [0, 1]
#include <brownout.h>

int first(void);
int second(void);

int limit = 3, sum;

int main(void) {
    for (int round = 0; round < 4; round++) {
        int reads = first(), writes = second();
        brownout_checkpoint();
        if (reads)
            sum += limit;
        brownout_checkpoint();
        if (writes)
            limit = round;
    }
    return sum > 100;
}
