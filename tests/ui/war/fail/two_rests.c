//! A device that has done its job rests; it says so too early, and a boot after a failure rests with half of it.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV unsigned done, result;

int main(void) {
    if (done) { //~ NOTE [war] read here
        for (;;) {
        }
    }
    done = 1; //~ ERROR [war] `done`; `result` = 0
    result = 5;
    for (;;) {
    }
}
