//! Weak defaults overridden by strong definitions in another file (main part).
#include <stdio.h>
__attribute__((weak)) int handler(int x) { return x; }
__attribute__((weak)) int untouched(int x) { return x * 2; }
__attribute__((weak)) int config = 1;
__attribute__((weak)) const char *banner(void) { return "default"; }
int via_b(int);
extern int optional(void) __attribute__((weak));
extern int absent(void) __attribute__((weak));
int main(void) {
    printf("%d %d %d %s\n", handler(5), untouched(5), config, banner());
    printf("%d\n", via_b(7));
    int (*h)(int) = handler;
    printf("%d\n", h(1));
    printf("%d %d\n", optional ? optional() : -1, absent ? absent() : -1);
    config++;
    return via_b(0);
}
