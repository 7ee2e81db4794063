//! Both sides return, from different depths.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int accepted;
int refused;

static int judge(int word) {
    if (word == 1) { //~ ERROR [repeated-input] whether `accepted` and `refused` are written
        accepted = 1;
        return 1;
    }
    refused = 1;
    return 0;
}

int main(void) {
    brownout_checkpoint();
    return judge(receive());
}
