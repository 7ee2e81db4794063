//! Single symbols in NVM, chosen by a pattern.
//@ nv: symbol:log_*
#include <brownout.h>

int log_count;
int log_time;
int count;

int main(void) {
    brownout_checkpoint();
    log_count = log_count + 1; //~ ERROR [war] `log_count`; `log_count` = 2 instead of 1
    count = count + 1;
    log_time = 5;
    return 0;
}
