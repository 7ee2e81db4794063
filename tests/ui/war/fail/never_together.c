//! The execution reads `limit` and writes it, but never both in one region: other readings do.
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
            sum += limit; //~ NOTE [war] read here
        if (writes)
            limit = round; //~ ERROR [war] `limit`; confirmed; `sum` = 0 instead of 3
    }
    return sum > 100;
}
