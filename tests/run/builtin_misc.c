//! expect, unreachable, assume, constant_p, types_compatible, choose_expr, object_size, prefetch and more.
#include <stdio.h>
#include <stddef.h>
#include <string.h>

#define likely(x) __builtin_expect(!!(x), 1)
static int classify(unsigned n) {
    switch (n & 3) {
        case 0: return 10;
        case 1: return 11;
        case 2: return 12;
        case 3: return 13;
        default: __builtin_unreachable();
    }
}
static int assumed(int n) { __builtin_assume(n > 0); return n / 2; }
static int hot(int x) {
    if (likely(x > 10)) return x;
    if (__builtin_expect_with_probability(x == 3, 1, 0.9)) return -3;
    return 0;
}
#define kind(x) __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(x), double), "double", __builtin_choose_expr(__builtin_types_compatible_p(__typeof__(x), int), "int", "other"))
struct s { char a[10]; int b; };

int main(void) {
    for (unsigned i = 0; i < 5; i++) printf("%d ", classify(i));
    printf("%d %d %d %d\n", assumed(9), hot(11), hot(3), hot(4));
    printf("%s %s %s %d\n", kind(1), kind(1.0), kind("s"), __builtin_types_compatible_p(int[], int[5]));
    printf("%d %d\n", __builtin_constant_p(42), __builtin_constant_p("lit"[1] * 0 + 3));
    char buf[20];
    struct s v;
    printf("%d %d %d\n", (int)__builtin_object_size(buf, 0), (int)__builtin_object_size(buf + 5, 0), (int)__builtin_object_size(v.a, 1));
    int arr[8] = {5};
    for (int i = 0; i < 8; i++) { __builtin_prefetch(&arr[i], 0, 3); arr[i] += i; }
    printf("%d\n", arr[7] + arr[0]);
    printf("%d %d %d\n", (int)__builtin_strlen("four"), __builtin_memcmp("a", "b", 1) < 0, __builtin_abs(-6));
    printf("%d %d\n", (int)__builtin_offsetof(struct s, b), __builtin_isnan(0.0));
    printf("%g %d %d\n", __builtin_inf(), __builtin_isinf_sign(-__builtin_inf()), __builtin_signbit(-1.0) != 0);
    printf("%g %g %g\n", __builtin_fabs(-2.5), __builtin_copysign(3, -0.0), __builtin_huge_val());
    printf("%d %d\n", __builtin_fpclassify(0, 1, 2, 3, 4, 1.0), __builtin_fpclassify(0, 1, 2, 3, 4, 0.0));
    printf("%d %d\n", __builtin_isless(1.0, 2.0), __builtin_isunordered(1.0, __builtin_nan("")));
    int line = __LINE__;
    printf("%d %d\n", line > 0, __COUNTER__ + 1 == __COUNTER__);
    printf("%d\n", (int)(__builtin_assume_aligned(arr, 4) == (void *)arr));
    printf("%d %d\n", __builtin_bcmp("x", "x", 1), (int)strlen(__FILE_NAME__));
    return __builtin_popcount(255);
}
