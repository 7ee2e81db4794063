//! A sparse switch over widely spread constants, in int, unsigned and long forms.
#include <stdio.h>
#include <limits.h>

static int classify(int v) {
    switch (v) {
    case INT_MIN: return 1;
    case -1000000: return 2;
    case -1: return 3;
    case 0: return 4;
    case 17: return 5;
    case 4096: return 6;
    case 123456789: return 7;
    case INT_MAX: return 8;
    }
    return 0;
}
static int uclass(unsigned v) {
    switch (v) {
    case 0u: return 'z';
    case 0x7fffffffu: return 'm';
    case 0x80000000u: return 'h';
    case 0xdeadbeefu: return 'd';
    case UINT_MAX: return 'x';
    default: return '-';
    }
}
static const char *magic(unsigned long v) {
    switch (v) {
    case 0x464c457ful: return "elf";
    case 0xcafebabeul: return "class";
    case 0x04034b50ul: return "zip";
    case 0x46445025ul: return "pdf";
    default: return "data";
    }
}

int main(void) {
    static const int vs[] = {INT_MIN, INT_MIN + 1, -1000000, -2, -1, 0, 1, 16, 17, 18, 4095, 4096, 123456789, INT_MAX - 1, INT_MAX};
    for (unsigned i = 0; i < sizeof vs / sizeof *vs; i++) printf("%d=%d %c\n", vs[i], classify(vs[i]), uclass((unsigned)vs[i]));
    printf("%c%c%c%c\n", uclass(0x80000000u), uclass(0xdeadbeefu), uclass(0xdeadbeeeu), uclass(UINT_MAX));
    printf("%s %s %s %s %s\n", magic(0x464c457f), magic(0xcafebabe), magic(0x04034b50), magic(0x46445025), magic(5));
    return classify(17);
}
