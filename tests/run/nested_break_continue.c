//! break and continue inside nested loops and switches.
#include <stdio.h>

int main(void) {
    for (int i = 0; i < 6; i++) {
        for (int j = 0; j < 6; j++) {
            if (j == i) continue;
            if (i + j > 7) break;
            switch ((i * j) % 4) {
            case 0: continue;
            case 1: break;
            case 2: if (j & 1) break; printf("[%d%d]", i, j); continue;
            default: printf("(%d%d)", i, j);
            }
            printf("<%d%d>", i, j);
        }
        printf("\n");
    }
    int i = 0, log = 0;
    while (1) {
        int j = 0;
        do {
            if (++j % 3 == 0) continue;
            if (j > 7) break;
            log = (log * 7 + j) % 10007;
        } while (j < 9);
        if (++i == 4) break;
        if (i == 2) continue;
        log += 1000;
    }
    printf("%d %d\n", i, log);
    int c = 0;
    for (int a = 0; a < 5; a++) {
        for (int b = 0; ; b++) { if (b == a) break; for (;;) { c++; break; } if (c > 8) goto stop; }
    }
stop:
    printf("%d\n", c);
    return c;
}
