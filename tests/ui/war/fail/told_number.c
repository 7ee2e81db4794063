//! A callback is told everything by its argument: which one it takes to go wrong is found.
static unsigned latest;
static char acknowledged;

void on_frame(unsigned number) {
    if (number > latest) { //~ NOTE [war] read here
        latest = number; //~ ERROR [war] `latest`; confirmed; `acknowledged` = 0 instead of 1
        acknowledged = 1;
    }
}

int is_acknowledged(void) {
    return acknowledged;
}
