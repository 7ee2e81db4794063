//! `sprintf` writes over a text whose length was taken.
//@ config: [memory]
//@ config: atomic-write = "any"
#include <brownout.h>
#include <stdio.h>
#include <string.h>

char text[8] = "7";
int length;

int main(void) {
    brownout_checkpoint();
    length = (int)strlen(text); //~ NOTE [war] read here
    sprintf(text, "%d", 12345); //~ ERROR [war] `text; `length` = 
    return 0;
}
