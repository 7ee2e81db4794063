//! A flag that says that something is done: once it is set, the attempt after a failure has nothing left to do.
//@ args: --static
#include <brownout.h>
#include <stdbool.h>

int read_id(void) BROWNOUT_INPUT;
void command(int code) BROWNOUT_OUTPUT(absolute);

bool ready, dirty;
int width;

bool start(int pixels) {
    if (ready) {
        return true;
    }
    width = pixels;
    if (read_id() != 0x36) {
        return false;
    }
    command(40);
    ready = true;
    return true;
}

void flush(void) {
    if (!dirty) {
        return;
    }
    command(width);
    dirty = false;
}

int main(void) {
    brownout_checkpoint();
    start(320);
    brownout_checkpoint();
    flush();
    return 0;
}
