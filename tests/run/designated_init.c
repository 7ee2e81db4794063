//! Designated initialisers: out of order, nested, ranges, overriding and partial.
#include <stdio.h>

struct in { int a, b[3]; char s[6]; };
struct out { struct in i; struct in arr[2]; double d; };
static int sparse[20] = {[3] = 30, 31, [17] = 170, [10] = 100, 110, 120};
static int fill[10] = {[0 ... 3] = 1, [6 ... 8] = -2};
static const char hexval[128] = {['0'] = 1, ['9'] = 10, ['a'] = 11, ['f'] = 16};
static struct out g = {.d = 2.5, .i = {.b = {[1] = 11}, .s = "abc", .a = 1}, .arr[1].b[2] = 99, .arr[0] = {5, {6, 7}}};
static char letters[] = {[4] = 'e', [0] = 'a', 'b', 'c', 'd'};
static int m[3][3] = {[1] = {[1] = 5}, [2][0] = 7, 8};
static union { int i; float f; unsigned char b[4]; } u = {.b = {1, 2, [3] = 4}};

static void show(const struct in *p) { printf("%d {%d %d %d} %s\n", p->a, p->b[0], p->b[1], p->b[2], p->s); }

int main(void) {
    for (int i = 0; i < 20; i++) printf("%d ", sparse[i]);
    printf("\n");
    for (int i = 0; i < 10; i++) printf("%d ", fill[i]);
    printf("\n%d %d %d %d\n", hexval['0'], hexval['9'], hexval['f'], hexval['z']);
    show(&g.i); show(&g.arr[0]); show(&g.arr[1]); printf("%g\n", g.d);
    printf("%d %.5s\n", (int)sizeof letters, letters);
    for (int i = 0; i < 9; i++) printf("%d ", m[i / 3][i % 3]);
    printf("\n%d %d %d %d\n", u.b[0], u.b[1], u.b[2], u.b[3]);
    int n = 4; struct out l = {.arr = {[1] = {.a = n * 2, .b = {n, [2] = n + 1}}}, .i.s = {'x', 'y'}};
    show(&l.i); show(&l.arr[0]); show(&l.arr[1]); printf("%g\n", l.d);
    struct { int x, y, z; } pts[] = {{.z = 3}, {.y = 2, 4}, {1}};
    for (int i = 0; i < 3; i++) printf("%d%d%d ", pts[i].x, pts[i].y, pts[i].z);
    printf("\n");
    int loc[6] = {n, [4] = n * n, n + 9}; printf("%d %d %d %d\n", loc[0], loc[1], loc[4], loc[5]);
    return (int)(sizeof pts / sizeof *pts);
}
