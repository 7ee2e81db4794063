//! Multi-dimensional arrays: layout, partial initialisation, row pointers and passing.
#include <stdio.h>
#include <string.h>

static int g3[2][3][4] = {{{1, 2}, {5}}, {{[3] = 9}, {0}, {7, 7, 7, 7}}};
static char board[3][5] = {"abcd", "ef", "ghij"};
static int total(int m[][4], int rows) {
    int t = 0;
    for (int i = 0; i < rows; i++) for (int j = 0; j < 4; j++) t += m[i][j] * (i + 1);
    return t;
}
static int diag(int (*m)[5]) { int t = 0; for (int i = 0; i < 5; i++) t = t * 10 + m[i][4 - i]; return t; }
static int spiral(int n, int out[25]) {
    int a[5][5], x = 0, y = 0, dx = 1, dy = 0;
    memset(a, 0, sizeof a);
    for (int k = 1; k <= n * n; k++) {
        a[y][x] = k;
        int nx = x + dx, ny = y + dy;
        if (nx < 0 || nx >= n || ny < 0 || ny >= n || a[ny][nx]) { int t = dx; dx = -dy; dy = t; }
        x += dx;
        y += dy;
    }
    memcpy(out, a, sizeof a);
    return a[n / 2][n / 2];
}

int main(void) {
    for (int i = 0; i < 24; i++) printf("%d ", g3[i / 12][i / 4 % 3][i % 4]);
    printf("\n%d %d %d\n", (int)sizeof g3, (int)sizeof g3[0], (int)sizeof g3[0][0]);
    printf("%d %d\n", total(g3[0], 3), total(g3[1], 3));
    int m[5][5]; for (int i = 0; i < 5; i++) for (int j = 0; j < 5; j++) m[i][j] = (i * 3 + j * 7) % 10;
    printf("%d\n", diag(m));
    int (*row)[5] = m + 2, *cell = m[3]; printf("%d %d %d %d\n", (*row)[1], row[1][1], cell[4], *(*(m + 4) + 2));
    printf("%d %d\n", (int)(row - m), (int)(&m[4][3] - &m[0][0]));
    for (int i = 0; i < 3; i++) printf("%s%d ", board[i], board[i][4]);
    board[1][2] = '+'; board[1][3] = 'z'; printf("%s\n", board[1]);
    int out[25]; printf("%d:", spiral(5, out)); for (int i = 0; i < 25; i++) printf(" %d", out[i]);
    printf("\n");
    int *ptrs[3] = {m[4], m[0], m[2]}; for (int i = 0; i < 3; i++) printf("%d ", ptrs[i][i]);
    int tmp[5];
    memcpy(tmp, m[0], sizeof tmp);
    memcpy(m[0], m[4], sizeof tmp);
    memcpy(m[4], tmp, sizeof tmp);
    printf("%d\n", diag(m));
    signed char deep[2][2][2][2][2];
    signed char *d = &deep[0][0][0][0][0];
    for (int i = 0; i < 2; i++) for (int j = 0; j < 16; j++) (&deep[i][0][0][0][0])[0] = (signed char)(i + j);
    printf("%d %d %d\n", deep[1][0][0][0][0], *d, (int)sizeof deep[0]);
    return m[1][1];
}
