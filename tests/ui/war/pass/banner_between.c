//! A count after a line of text.
//@ policy: restart
#include <brownout.h>

void out(int letter) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV unsigned received;

static void banner(void) {
    for (int i = 0; i < 3; i++)
        out(i);
}

int main(void) {
    banner();
    received++;
    return 0;
}
