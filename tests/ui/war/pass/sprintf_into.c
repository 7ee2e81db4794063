//! The text is saved.
#include <brownout.h>
#include <stdio.h>
#include <string.h>

char text[8] = "7";
int length;

int main(void) {
    brownout_checkpoint_with(text, sizeof text);
    length = (int)strlen(text);
    sprintf(text, "%d", 12345);
    return 0;
}
