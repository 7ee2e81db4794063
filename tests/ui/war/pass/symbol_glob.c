//! The pattern chooses others.
//@ nv: symbol:log_t*
#include <brownout.h>

int log_count;
int log_time;
int count;

int main(void) {
    brownout_checkpoint();
    log_count = log_count + 1;
    count = count + 1;
    log_time = 5;
    return 0;
}
