//! Every ctype function over 0..127 plus EOF.
#include <stdio.h>
#include <ctype.h>

int main(void) {
    for (int c = -1; c < 128; c++) printf("%d:%d%d%d%d%d%d%d%d%d%d%d%d %d %d\n", c, !!isalnum(c), !!isalpha(c), !!isblank(c), !!iscntrl(c), !!isdigit(c), !!isgraph(c), !!islower(c), !!isprint(c), !!ispunct(c), !!isspace(c), !!isupper(c), !!isxdigit(c), tolower(c), toupper(c));
    char s[] = "Mixed CASE 123 _text!";
    for (char *p = s; *p; p++) *p = (char)(isupper((unsigned char)*p) ? tolower((unsigned char)*p) : toupper((unsigned char)*p));
    puts(s);
    int w = 0, in = 0;
    for (const char *p = "count  the\twords\nhere "; *p; p++) {
        int sp = isspace((unsigned char)*p) != 0;
        w += !sp && !in;
        in = !sp;
    }
    int (*f)(int) = isdigit;
    printf("%d %d\n", w, f('5') != 0);
    return w;
}
