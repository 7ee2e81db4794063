//! Recursion of modest depth: factorial, Hanoi, Ackermann, permutations and flood fill.
#include <stdio.h>
#include <inttypes.h>
static uint32_t fact(unsigned n) { return n < 2 ? 1 : n * fact(n - 1); }
static int ack(int m, int n) { return !m ? n + 1 : !n ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1)); }
static unsigned moves;
static void hanoi(int n, int a, int b, int c) { if (n) { hanoi(n - 1, a, c, b); moves++; hanoi(n - 1, c, b, a); } }
static int perms;
static void perm(char *s, int k) {
    if (!s[k]) { perms++; if (perms % 5 == 1) printf("%s ", s); return; }
    for (int i = k; s[i]; i++) {
        char t = s[k];
        s[k] = s[i];
        s[i] = t;
        perm(s, k + 1);
        t = s[k];
        s[k] = s[i];
        s[i] = t;
    }
}
static char map[5][8] = {"..#...#", ".##.#.#", "....#..", "###.###", "......."};
static int fill(int y, int x) {
    if (y < 0 || y > 4 || x < 0 || x > 6 || map[y][x] != '.') return 0;
    map[y][x] = 'o';
    return 1 + fill(y - 1, x) + fill(y + 1, x) + fill(y, x - 1) + fill(y, x + 1);
}
static int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
int main(void) {
    printf("%" PRIu32 " %" PRIu32 "\n", fact(8), fact(12));
    printf("%d %d\n", ack(1, 5), ack(2, 2));
    hanoi(6, 0, 1, 2);
    printf("%u\n", moves);
    char s[] = "abcd";
    perm(s, 0);
    printf("%d %s\n", perms, s);
    printf("%d\n", fill(0, 0));
    for (int i = 0; i < 5; i++) printf("%s\n", map[i]);
    printf("%d\n", fib(14));
    return 0;
}
