//! Enumerations: implicit values, negatives, gaps, duplicates, big values and use in arrays.
#include <stdio.h>

enum plain { A, B, C = 10, D, E = C, F = -5, G, H };
enum mask { M0 = 1 << 0, M1 = 1 << 1, M4 = 1 << 4, MALL = M0 | M1 | M4 };
enum wide { LOW = 0, HIGH = 0xffffffffu };
enum state { IDLE, RUN, STOP, NSTATE };
typedef enum { RED = 'r', GREEN = 'g' } colour;
enum __attribute__((packed)) tiny { T0, T1 = 200 };

static const char *const names[NSTATE] = {[IDLE] = "idle", [STOP] = "stop", [RUN] = "run"};
static enum state next(enum state s) {
    switch (s) { case IDLE: return RUN; case RUN: return STOP; case STOP: return IDLE; case NSTATE: break; }
    return NSTATE;
}
static const char *cname(colour c) { return c == RED ? "red" : c == GREEN ? "green" : "?"; }

int main(void) {
    printf("%d %d %d %d %d %d %d %d\n", A, B, C, D, E, F, G, H);
    printf("%d %x\n", MALL, MALL & ~M1);
    printf("%u %d\n", HIGH, (int)sizeof(enum wide));
    printf("%d %d\n", (int)sizeof(enum plain), (int)sizeof(enum tiny));
    enum state s = IDLE;
    for (int i = 0; i < 5; i++) { printf("%s->", names[s]); s = next(s); }
    printf("%s\n", names[s]);
    printf("%s %s %s\n", cname('r'), cname(GREEN), cname((colour)'x'));
    enum plain p = F; p++; printf("%d %d\n", p, p == G);
    enum tiny t = T1; printf("%d\n", t);
    int hist[NSTATE] = {0}; for (int i = 0; i < 10; i++) hist[i * i % NSTATE]++;
    printf("%d %d %d\n", hist[IDLE], hist[RUN], hist[STOP]);
    enum { LOCAL = sizeof(int) * 2 }; printf("%d\n", LOCAL);
    enum state arr[] = {STOP, RUN}; printf("%d\n", arr[0] - arr[1]);
    return D;
}
