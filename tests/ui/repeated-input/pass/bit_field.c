//! A structure of bit-fields gets a reading; a field of another byte decides.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

struct status {
    unsigned char level : 4;
    unsigned char mode;
};

int mode;
int alarm;

int main(void) {
    brownout_checkpoint();
    struct status status;
    status.mode = (unsigned char)mode;
    status.level = (unsigned)read_adc() & 15;
    if (status.mode > 7) {
        alarm = 1;
    }
    return 0;
}
