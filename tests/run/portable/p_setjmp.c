//! setjmp and longjmp through several frames with volatile locals.
#include <stdio.h>
#include <setjmp.h>
static jmp_buf jb; static int depth; static void down(int n) { depth++; if (!n) longjmp(jb, 7); down(n - 1); }
static int parse(const char *s) {
    int v = 0;
    for (; *s; s++) { if (*s < '0' || *s > '9') longjmp(jb, *s); v = v * 10 + *s - '0'; }
    return v;
}
int main(void) {
    volatile int tries = 0;
    int r;
    if ((r = setjmp(jb)) == 0) { down(6); printf("never\n"); } else printf("r=%d depth=%d\n", r, depth);
    r = setjmp(jb);
    tries++;
    printf("try %d r=%d\n", tries, r);
    if (tries < 4) longjmp(jb, tries == 2 ? 0 : tries + 10);
    static const char *const in[] = {"12", "1x", "999", "?"};
    for (volatile int i = 0; i < 4; i++) {
        int c = setjmp(jb);
        if (!c) printf("%d\n", parse(in[i])); else printf("bad '%c'\n", c);
    }
    return 0;
}
