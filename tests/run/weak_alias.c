//! Weak definitions, undefined weak references and aliases of functions and data.
#include <stdio.h>

__attribute__((weak)) int hook(int x) { return x + 1; }
extern int missing(int) __attribute__((weak)); extern int missing_data __attribute__((weak));
int real_fn(int a, int b) { return a * b; }
int alias_fn(int, int) __attribute__((alias("real_fn")));
int weak_alias_fn(int, int) __attribute__((weak, alias("real_fn")));
int storage[3] = {7, 8, 9}; extern int view[3] __attribute__((alias("storage")));
__attribute__((weak)) int tunable = 42;
static int local_impl(void) { return 5; }
int exported(void) __attribute__((alias("local_impl")));

int main(void) {
    printf("%d\n", hook(1));
    printf("%d\n", missing ? missing(3) : -1);
    printf("%d\n", &missing_data ? missing_data : -2);
    printf("%d %d\n", alias_fn(6, 7), weak_alias_fn(3, 4));
    printf("%d %d\n", view[1], (void *)view == (void *)storage);
    storage[2] = 90;
    __asm__ volatile("" ::: "memory");
    printf("%d %d %d\n", view[2], tunable, exported());
    int (*p)(int, int) = alias_fn;
    printf("%d\n", p(2, 5));
    return tunable;
}
