//! Compound literals of arrays, structures and scalars, at file and block scope.
#include <stdio.h>
#include <string.h>

struct p { int x, y; };
static int *table = (int[]){3, 1, 4, 1, 5, 9, 2, 6};
static struct p *origin = &(struct p){.y = 7};
static const char *const *words = (const char *const[]){"zero", "one", "two", 0};

static int sum(const int *v, int n) { int s = 0; while (n--) s += *v++; return s; }
static int dot(const struct p *a, const struct p *b) { return a->x * b->x + a->y * b->y; }
static struct p mk(int a) { return (struct p){a, .x = a + 1}; }

int main(void) {
    printf("%d %d %d\n", sum(table, 8), origin->x, origin->y);
    for (const char *const *w = words; *w; w++) printf("%s ", *w);
    printf("\n%d\n", sum((int[]){1, 2, [5] = 10, 20}, 7));
    printf("%d\n", dot(&(struct p){3, 4}, &(struct p){.x = 2, .y = -1}));
    int *ip = &(int){42}; ++*ip; printf("%d\n", *ip);
    for (int i = 0; i < 3; i++) { int *q = (int[3]){i}; q[2] += q[0] * 2 + 1; printf("%d%d%d ", q[0], q[1], q[2]); }
    printf("\n");
    char *s = (char[]){"mutable"}; s[0] = 'M'; printf("%s %d\n", s, (int)sizeof((char[]){"mutable"}));
    struct p arr[2]; memcpy(arr, (struct p[2]){{1, 2}, {3, 4}}, sizeof arr); printf("%d %d\n", arr[1].x, arr[0].y);
    struct p v = *(struct p *[]){&(struct p){8, 9}, origin}[0]; printf("%d %d\n", v.x, v.y);
    printf("%d %d\n", mk(3).x, mk(3).y);
    printf("%g %d\n", ((double[]){0.5, 1.5, 2.5})[1], (union { int a; char c; }){.a = 77}.a);
    origin->x = sum((int[]){origin->y, 1}, 2); return origin->x;
}
