//! Common symbols and extern arrays shared by two files (main part).
//@ flags: -fcommon
#include <stdio.h>
int shared;
int buffer[8];
double ratio;
extern int table[];
extern const char *const labels[3];
extern const int limit;
void fill(int);
int total(void);
extern struct pt { int x, y; } origin;
int main(void) {
    printf("%d %g\n", shared, ratio);
    fill(3);
    printf("%d %g %d\n", shared, ratio, total());
    buffer[7] = 1000;
    shared = -5;
    printf("%d\n", total());
    int n = 0;
    while (table[n]) n++;
    printf("%d %d %s %s\n", n, limit, labels[0], labels[2]);
    origin.y++;
    printf("%d %d\n", origin.x, origin.y);
    return n;
}
