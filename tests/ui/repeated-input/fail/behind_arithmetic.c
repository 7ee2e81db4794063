//! A reading is converted by a function before it is compared.
//@ args: --static
#include <brownout.h>

int raw_temperature(void) BROWNOUT_INPUT;

static int offset = 273;
int boiling;

static int celsius(int raw) {
    return raw * 7 / 4 - offset;
}

int main(void) {
    brownout_checkpoint();
    int now = celsius(raw_temperature());
    if (now == 1370) { //~ ERROR [repeated-input] whether `boiling` is written
        boiling = 1;
    }
    return 0;
}
