//! Two variables of one region, each of which is read before the checkpoint and written after it.
#include <brownout.h>

int total;
int balance = 3;

int main(void) {
    int next = total + 1;
    int less = balance - 1;
    brownout_checkpoint();
    total = next;
    balance = less;
    int before = less + 1;
    brownout_checkpoint();
    balance = before;
    return 0;
}
