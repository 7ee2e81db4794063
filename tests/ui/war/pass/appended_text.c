//! A text is made anew in every attempt, of numbers and of what nobody changes.
//@ config: [[input]]
//@ config: function = "button"
//@ config: values = [0]
#include <brownout.h>
#include <stdio.h>
#include <string.h>

int button(void);

BROWNOUT_NV char line[32], name[8] = "node";

int main(void) {
    int pressed = button();
    brownout_checkpoint();
    if (pressed)
        snprintf(line, sizeof line, "%s %d", name, pressed);
    brownout_checkpoint();
    return 0;
}
