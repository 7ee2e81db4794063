//! Firmware without an end: what it does in its rounds is not proved under `restart`.
//@ verdict: unknown
//@ reason: a program without an end under policy `restart`
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV int last;
int main(void) {
    for (;;)
        last = sense();
}
