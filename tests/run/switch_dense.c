//! A dense switch with a jump table, holes and a default.
#include <stdio.h>

static int op(int code, int a, int b) {
    switch (code) {
    case 0: return a + b;
    case 1: return a - b;
    case 2: return a * b;
    case 3: return b ? a / b : 0;
    case 4: return b ? a % b : 0;
    case 5: return a & b;
    case 6: return a | b;
    case 7: return a ^ b;
    case 8: return -a;
    case 10: return a < b;
    case 11: return a > b;
    case 12: return a == b;
    default: return -999;
    }
}
static const char *month(unsigned m) {
    switch (m) {
    case 1: return "Jan";
    case 2: return "Feb";
    case 3: return "Mar";
    case 4: return "Apr";
    case 5: return "May";
    case 6: return "Jun";
    case 7: return "Jul";
    case 8: return "Aug";
    case 9: return "Sep";
    case 10: return "Oct";
    case 11: return "Nov";
    case 12: return "Dec";
    }
    return "???";
}
static unsigned char bitmask(unsigned char c) {
    switch (c) {
        case 'a': case 'e': case 'i': case 'o': case 'u': return 1;
        case '0': case '1': case '2': case '3': case '4': return 2;
        case ' ': return 4;
        default: return 0;
    }
}

int main(void) {
    for (int c = -2; c < 15; c++) printf("%d: %d %d %d\n", c, op(c, 17, 5), op(c, -17, 5), op(c, 4, 0));
    for (unsigned m = 0; m < 14; m++) printf("%s ", month(m));
    printf("%s\n", month(0x80000001u));
    unsigned h = 0; for (int c = 0; c < 256; c++) h = h * 5 + bitmask((unsigned char)c);
    printf("%u\n", h);
    return op(2, 6, 7);
}
