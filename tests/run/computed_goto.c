//! Labels as values: a threaded bytecode interpreter.
#include <stdio.h>

enum { PUSH, ADD, MUL, SUB, DUP, SWAP, JNZ, PRINT, HALT };

static int run(const int *code) {
    static void *const table[] = {&&push, &&add, &&mul, &&sub, &&dup, &&swap, &&jnz, &&print, &&halt};
    int st[32], *sp = st, steps = 0; const int *pc = code;
#define NEXT do { steps++; goto *table[*pc++]; } while (0)
    NEXT;
push: *sp++ = *pc++; NEXT;
add: sp--; sp[-1] += *sp; NEXT;
mul: sp--; sp[-1] *= *sp; NEXT;
sub: sp--; sp[-1] -= *sp; NEXT;
dup: *sp = sp[-1]; sp++; NEXT;
swap: { int t = sp[-1]; sp[-1] = sp[-2]; sp[-2] = t; } NEXT;
jnz: { int off = *pc++; if (*--sp) pc += off; } NEXT;
print: printf("%d\n", *--sp); NEXT;
halt: return steps;
}
static int local_dispatch(int n) {
    void *where = n > 2 ? &&big : &&small;
    goto *where;
small: return -n;
big: return n * n;
}

int main(void) {
    static const int prog[] = {PUSH, 6, PUSH, 7, MUL, PRINT, PUSH, 1, PUSH, 10,
        /* acc n : acc*2, n-1 */ SWAP, PUSH, 2, MUL, SWAP, PUSH, 1, SUB, DUP, JNZ, -11, PRINT, PRINT, HALT};
    printf("steps %d\n", run(prog));
    for (int i = 0; i < 6; i++) printf("%d ", local_dispatch(i));
    printf("\n");
    return local_dispatch(5);
}
