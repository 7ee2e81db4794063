//! Two variables of one region are wrong after a failure. When the next checkpoint comes, the wrong value of the second
//! one may be in a register only, and the first one is wrong whatever the second one does.
#include <brownout.h>

int total;
int balance = 3;

int main(void) {
    brownout_checkpoint();
    total = total + 1; //~ ERROR [war] `total`; `total` = 2 instead of 1
    balance = balance - 1; //~ ERROR [war] `balance`
    int before = balance + 1;
    brownout_checkpoint();
    balance = before;
    return 0;
}
