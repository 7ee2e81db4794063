//! A static variable of a function is called like the flash part: that what lies in flash may differ does not excuse it.
//@ policy: restart
//@ config: [memory]
//@ config: nonvolatile = ["globals"]
//@ config: [[flash]]
//@ config: object = "flash"
//@ config: erase-block = 64
//@ config: program-unit = 1
//@ config: program-function = { name = "program", address = "arg0", value = "arg1" }
#include <stdio.h>

unsigned char flash[64];
void program(unsigned at, unsigned char value);

static int count(void) {
    static int flash;
    flash = flash + 1; //~ ERROR [war] `flash` is overwritten; confirmed
    return flash;
}

int main(void) {
    if (flash[0] == 0xff)
        program(0, 1);
    for (int i = 0; i < 3; i++)
        printf("%d\n", count());
    return 0;
}
