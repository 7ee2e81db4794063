//! Nested loops clear a matrix.
//@ args: --static
#include <brownout.h>

int receive(void) BROWNOUT_INPUT;

int matrix[4][4];

int main(void) {
    brownout_checkpoint();
    for (int row = 0; row < 4; row++) {
        for (int column = 0; column < 4; column++) {
            matrix[row][column] = 0;
        }
    }
    if (receive() > 0) {
        matrix[1][3] = 1;
    }
    return 0;
}
