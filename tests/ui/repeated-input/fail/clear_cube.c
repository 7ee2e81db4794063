//! Three nested loops clear all of a cube but one side, which holds the element that a reading decides about.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int cube[2][3][4];
int mode;

int main(void) {
    brownout_checkpoint();
    for (int x = 0; x < 2; x++) {
        for (int y = 0; y < 3; y++) {
            for (int z = 1; z < 4; z++) {
                if (mode) {
                    cube[x][y][z] = 1;
                } else {
                    cube[x][y][z] = 0;
                }
            }
        }
    }
    if (receive() > 0) { //~ ERROR [repeated-input] whether `cube[1][2][0]` is written
        cube[1][2][0] = 1;
    }
    return 0;
}
