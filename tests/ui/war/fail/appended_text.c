//! What is appended to a text is found by reading it: an attempt appends again.
//@ config: [[input]]
//@ config: function = "button"
//@ config: values = [0, 1]
#include <brownout.h>
#include <stdio.h>
#include <string.h>

int button(void);

BROWNOUT_NV char line[32] = "a", last[32] = "b";

int main(void) {
    int pressed = button();
    brownout_checkpoint();
    if (pressed) {
        char copy[32];
        strcat(line, "x"); //~ ERROR [war] `line` may be read, then overwritten before the next checkpoint; confirmed
        snprintf(copy, sizeof copy, "%s!", last);
        strcpy(last, copy); //~ ERROR [war] `last` may be read, then overwritten before the next checkpoint; confirmed
    }
    brownout_checkpoint();
    return 0;
}
