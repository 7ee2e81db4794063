//! ctype classification totals and text transformations.
#include <stdio.h>
#include <ctype.h>
int main(void) {
    int n[12] = {0};
    for (int c = 0; c < 128; c++) {
        n[0] += !!isalnum(c);
        n[1] += !!isalpha(c);
        n[2] += !!iscntrl(c);
        n[3] += !!isdigit(c);
        n[4] += !!isgraph(c);
        n[5] += !!islower(c);
        n[6] += !!isprint(c);
        n[7] += !!ispunct(c);
        n[8] += !!isspace(c);
        n[9] += !!isupper(c);
        n[10] += !!isxdigit(c);
        n[11] += !!isblank(c);
    }
    for (int i = 0; i < 12; i++) printf("%d ", n[i]);
    printf("\n");
    const char *s = "Hello, World 42!";
    for (const char *p = s; *p; p++) putchar(isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p));
    putchar('\n');
    for (const char *p = s; *p; p++) putchar(isalpha((unsigned char)*p) ? (islower((unsigned char)*p) ? 'a' : 'A') + ((*p | 32) - 'a' + 13) % 26 : *p);
    putchar('\n');
    int words = 0, in = 0;
    for (const char *p = s; *p; p++) { int a = isalnum((unsigned char)*p) != 0; words += a && !in; in = a; }
    printf("%d\n", words);
    return 0;
}
