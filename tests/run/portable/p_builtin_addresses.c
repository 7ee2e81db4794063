//! Builtins about addresses, with and without their arguments; clang itself gets some of them wrong for small ints.
#include <stdio.h>

static int data[8] = {1, 2, 3, 4, 5, 6, 7, 8};

static __attribute__((noinline)) int walk(const int *from, int count) {
    int sum = 0;
    for (int i = 0; i < count; i++) {
        __builtin_prefetch(&from[i]);
        __builtin_prefetch(&from[i], 1);
        __builtin_prefetch(from + i, 0, 3);
        sum += from[i];
    }
    return sum;
}

static __attribute__((noinline)) void *from_where(void) { return __builtin_return_address(0); }
static __attribute__((noinline)) void *frame(void) { return __builtin_frame_address(0); }

int main(void) {
    printf("%d\n", walk(data, 8));
    printf("%d %d\n", from_where() != NULL, frame() != NULL);
    return 0;
}
