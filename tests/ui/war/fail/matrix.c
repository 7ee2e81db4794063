//! One element of a two-dimensional array.
#include <brownout.h>

int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};

int main(void) {
    brownout_checkpoint();
    grid[1][2] = grid[1][2] * 2; //~ ERROR [war] `grid[1][2]`; `grid[1][2]` = 24 instead of 12
    return 0;
}
