//! A callback is told everything by what its argument points to.
static unsigned latest;
static char acknowledged;

void on_frame(const unsigned char *frame, int size) {
    if (size < 2)
        return;
    unsigned number = frame[0] | frame[1] << 8;
    if (number > latest) { //~ NOTE [war] read here
        latest = number; //~ ERROR [war] `latest`; confirmed; `acknowledged` = 0 instead of 1
        acknowledged = 1;
    }
}

int is_acknowledged(void) {
    return acknowledged;
}
