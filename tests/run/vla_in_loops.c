//! Variable length arrays created afresh in loop bodies, left by break, continue and goto.
#include <stdio.h>

static unsigned hash(const unsigned char *p, int n) { unsigned h = 7; while (n--) h = h * 131 + *p++; return h; }

int main(void) {
    unsigned all = 0;
    for (int i = 1; i <= 300; i++) {
        unsigned char v[i % 61 + 1]; int n = (int)sizeof v;
        for (int j = 0; j < n; j++) v[j] = (unsigned char)(i + j * 3);
        if (i % 7 == 0) continue;
        if (i == 290) break;
        all = all * 3 + hash(v, n);
    }
    printf("%u\n", all);
    int round = 0;
again:;
    {
        int w[round + 1];
        w[round] = round * round;
        if (!round) w[0] += 5;
        printf("%d ", w[round]);
        if (++round < 6) goto again;
    }
    printf("\n");
    int k = 3;
    while (k < 2000) {
        long t[k % 13 + 2];
        t[0] = k;
        for (unsigned i = 1; i < sizeof t / sizeof *t; i++) t[i] = t[i - 1] + (long)i;
        k = (int)t[sizeof t / sizeof *t - 1] + k / 2;
        printf("%d ", k);
    }
    printf("\n");
    for (int a = 1; a < 4; a++) {
        char o[a];
        for (int b = 1; b < 4; b++) {
            char in[a * b];
            o[0] = in[0] = (char)(a * b);
            printf("%d%d ", (int)sizeof o, (int)(sizeof in) + o[0] - in[0]);
        }
    }
    printf("\n");
    return round;
}
