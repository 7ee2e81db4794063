//! A device that has done its job rests; when it boots afterwards it rests in another loop. That is no other end.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV unsigned boots, done, ready, result;

int main(void) {
    boots++;
    if (done) {
        for (;;) {
        }
    }
    if (!ready) {
        boots = 0;
        result = 0;
        ready = 1;
    }
    result = 5;
    done = 1;
    for (;;) {
    }
}
