//! Nested jump buffers: inner handlers rethrow to outer ones through many frames.
#include <stdio.h>
#include <setjmp.h>

static jmp_buf *top;
static int depth_seen;
static void raise_(int code) { longjmp(*top, code); }
static void deep(int n, int code) {
    volatile char pad[32];
    pad[0] = (char)n;
    depth_seen++;
    if (n == 0) raise_(code);
    deep(n - 1, code);
    pad[1] = pad[0];
}

static int inner(int code) {
    jmp_buf here, *saved = top; volatile int result = 0;
    top = &here;
    int r = setjmp(here);
    if (r == 0) { deep(5, code); result = -1; }
    else { top = saved; if (r % 2) { printf("inner rethrows %d\n", r); raise_(r + 100); } result = r; }
    top = saved; return result;
}
static int outer(int code) {
    jmp_buf here, *saved = top; volatile int stage = 1;
    top = &here;
    int r = setjmp(here);
    if (!r) { stage = 2; int v = inner(code); stage = 3; printf("inner returned %d\n", v); }
    else printf("outer caught %d at stage %d\n", r, stage);
    top = saved; return stage * 1000 + r;
}

int main(void) {
    for (int c = 1; c < 6; c++) printf("%d\n", outer(c));
    printf("depth %d top %d\n", depth_seen, top == 0);
    jmp_buf bufs[3]; volatile int hops = 0;
    if (setjmp(bufs[0]) == 0) if (setjmp(bufs[1]) == 0) if (setjmp(bufs[2]) == 0) longjmp(bufs[hops++ + 2], 1);
    hops++; printf("hop %d\n", hops);
    if (hops == 2) longjmp(bufs[1], 1);
    if (hops == 3) longjmp(bufs[0], 1);
    return hops;
}
