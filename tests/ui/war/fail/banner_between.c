//! Two counts with a line of text before, between and after them: a loop that is beside a failure, and not around it, does
//! not make the first of them whole by itself.
//@ policy: restart
#include <brownout.h>

void out(int letter) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV unsigned received, answered;

static void banner(void) {
    for (int i = 0; i < 3; i++)
        out(i);
}

int main(void) {
    banner();
    received++; //~ ERROR [war] `received`
    banner();
    answered++;
    return 0;
}
