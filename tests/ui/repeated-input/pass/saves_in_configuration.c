//! What every checkpoint saves is configured.
//@ args: --static
//@ config: [power]
//@ config: saves = ["door", "window"]
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

int door;
int window;

int main(void) {
    for (;;) {
        brownout_checkpoint();
        if (read_adc() > 7) {
            door = 1;
        } else {
            window = 1;
        }
    }
}
