//! Fallthrough, default in the middle, nested switches and a Duff-style unrolled copy.
#include <stdio.h>
#include <string.h>

static int fall(int n) {
    int r = 0;
    switch (n) {
    case 3: r += 300; /* fall through */
    default: r += 1000; /* fall through */
    case 2: r += 20; /* fall through */
    case 1: r += 1; break;
    case 0: r = -1;
    }
    return r;
}
static void duff(char *to, const char *from, int count) {
    int n = (count + 7) / 8;
    switch (count % 8) {
    case 0: do { *to++ = *from++;
    case 7: *to++ = *from++;
    case 6: *to++ = *from++;
    case 5: *to++ = *from++;
    case 4: *to++ = *from++;
    case 3: *to++ = *from++;
    case 2: *to++ = *from++;
    case 1: *to++ = *from++;
            } while (--n > 0);
    }
}
static int nested(int a, int b) {
    switch (a) {
    case 0: switch (b) { case 0: return 0; case 1: break; default: return 9; } return 1;
    case 1: for (int i = 0;; i++) { switch (i) { case 3: goto out; case 1: continue; default: b += i; } }
    out: return b;
    default: { int c = b; switch (c & 3) case 2: return 222; }
    }
    return -7;
}

int main(void) {
    for (int i = -1; i < 6; i++) printf("%d ", fall(i));
    printf("\n");
    char dst[40]; const char *src = "the quick brown fox jumps over it";
    for (int n = 1; n <= 33; n += 4) { memset(dst, 0, sizeof dst); duff(dst, src, n); printf("%s|\n", dst); }
    for (int a = 0; a < 3; a++) for (int b = 0; b < 4; b++) printf("%d ", nested(a, b));
    printf("\n");
    return fall(3) & 0x7f;
}
