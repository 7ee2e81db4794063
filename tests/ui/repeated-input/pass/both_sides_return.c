//! Both sides return, from different depths, and write the same.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int accepted;
int refused;

static int judge(int word) {
    if (word == 1) {
        accepted = 1;
        refused = 0;
        return 1;
    }
    refused = 1;
    accepted = 0;
    return 0;
}

int main(void) {
    brownout_checkpoint();
    return judge(receive());
}
