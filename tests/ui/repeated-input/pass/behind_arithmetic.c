//! A reading is converted by a function before it is compared; both sides write.
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
    boiling = now == 1370;
    return 0;
}
