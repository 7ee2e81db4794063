//! A try/catch/finally macro layer over setjmp with cleanup of resources.
#include <stdio.h>
#include <stdlib.h>
#include <setjmp.h>

struct frame { jmp_buf jb; struct frame *up; };
static struct frame *cur; static int live;
#define TRY(code) { struct frame f_; volatile int thrown_ = 0; f_.up = cur; cur = &f_; if ((code = setjmp(f_.jb)) == 0) {
#define CATCH } else { thrown_ = 1; } cur = f_.up; if (thrown_) {
#define END } }
static void throw_(int c) { if (!cur) { printf("uncaught %d\n", c); exit(99); } longjmp(cur->jb, c); }
static void *get(size_t n) { live++; return malloc(n); }
static void put(void *p) { live--; free(p); }

static int risky(int n) { if (n % 3 == 0) throw_(30 + n); if (n % 5 == 0) throw_(50 + n); return n * 2; }
static int guarded(int n) {
    int *volatile p = get(sizeof *p); volatile int out = 0; volatile int code;
    TRY(code) *p = risky(n); out = *p; CATCH out = -code; END
    put(p); if (out == -35) throw_(7); return out;
}

int main(void) {
    for (volatile int i = 1; i <= 10; i++) {
        volatile int c;
        TRY(c) printf("%d ", guarded(i)); CATCH printf("(caught %d) ", c); END
    }
    printf("live %d\n", live);
    volatile int c;
    TRY(c) TRY(c) throw_(1);
    CATCH printf("in %d ", c);
    throw_(c + 1);
    END CATCH printf("out %d\n", c);
    END
    TRY(c) printf("%d\n", guarded(5)); CATCH printf("no\n"); END
    throw_(5);
    return 1;
}
