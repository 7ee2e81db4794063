//! Conway's game of life on a torus: glider, blinker and population counts.
#include <stdio.h>
#include <string.h>
#define H 12
#define WD 20
static unsigned char g[2][H][WD];
static int step(int a) {
    int pop = 0;
    for (int y = 0; y < H; y++) for (int x = 0; x < WD; x++) {
        int n = 0;
        for (int dy = -1; dy <= 1; dy++) for (int dx = -1; dx <= 1; dx++) if (dy || dx) n += g[a][(y + dy + H) % H][(x + dx + WD) % WD];
        g[!a][y][x] = n == 3 || (n == 2 && g[a][y][x]);
        pop += g[!a][y][x];
    }
    return pop;
}
static void show(int a) {
    for (int y = 0; y < H; y++) { for (int x = 0; x < WD; x++) putchar(g[a][y][x] ? '#' : '.'); putchar('\n'); }
}
static void place(int y, int x, const char *s) {
    int x0 = x;
    for (; *s; s++) if (*s == '/') { y++; x = x0; } else g[0][y][x++] = *s == 'o';
}
int main(void) {
    place(0, 1, ".o./..o/ooo");
    place(6, 12, "ooo");
    place(8, 3, ".oo/oo./.o.");
    show(0);
    int cur = 0;
    for (int i = 0; i < 16; i++) { int p = step(cur); cur ^= 1; if (i % 4 == 3) printf("gen %d pop %d\n", i + 1, p); }
    show(cur);
    return step(cur);
}
