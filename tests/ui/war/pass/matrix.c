//! The checkpoint saves the matrix.
#include <brownout.h>

int grid[2][3] = {{1, 2, 3}, {4, 5, 6}};

int main(void) {
    brownout_checkpoint_with(grid, sizeof grid);
    grid[1][2] = grid[1][2] * 2;
    return 0;
}
