//! Sizes and alignments of the basic types on a 16-bit target.
#include <stdio.h>
#include <stddef.h>
#include <stdint.h>
_Static_assert(sizeof(int) == 2 && sizeof(long) == 4 && sizeof(void *) == 2 && sizeof(double) == 8, "msp430 type sizes");
_Static_assert(_Alignof(long) == 2 && _Alignof(long long) == 2 && _Alignof(double) == 2, "nothing is aligned to more than two bytes");
#define S(T) printf("%s %d %d\n", #T, (int)sizeof(T), (int)_Alignof(T))
int main(void) {
    S(char); S(short); S(int); S(long); S(long long); S(float); S(double);
    S(void *);
    S(int (*)(void));
    S(size_t);
    S(ptrdiff_t);
    S(int8_t);
    S(int16_t);
    S(int32_t);
    S(int64_t);
    S(uintptr_t);
    S(_Bool);
    enum e { A, B = 1000 }; S(enum e); enum l { C = 100000 }; S(enum l);
    printf("%d %d %d\n", (int)sizeof 'a', (int)sizeof 1L, (int)sizeof 70000);
    printf("%d %d\n", (int)sizeof(1 ? 1 : 1L), (int)sizeof(char[300]));
    return 0;
}
