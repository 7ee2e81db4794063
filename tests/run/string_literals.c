//! String literals: escapes, concatenation, embedded zeros, array sizes and adjacency of prefixes.
#include <stdio.h>
#include <string.h>
#include <stddef.h>

#define STR(x) #x
#define XSTR(x) STR(x)
#define VALUE 1 + 2
#define CAT(a, b) a##b
static char arr[] = "abc" "def"; static char exact[3] = "xyz"; static char pad[8] = "hi";
static const char *ptr = "ptr" "\0" "hidden";
static const char esc[] = "\a\b\f\n\r\t\v\\\'\"\?\0\1\12\123\x41\x7f";
static const wchar_t wide[] = L"wide \u00e9";
static const unsigned short u16[] = u"\u20ac\U0001f600";
static const char u8s[] = u8"\u20ac";

int main(void) {
    printf("%s %d %d %d\n", arr, (int)sizeof arr, (int)sizeof exact, (int)sizeof pad);
    printf("%.3s %d %d\n", exact, pad[2], pad[7]);
    printf("%s %s %d\n", ptr, ptr + 4, (int)strlen(ptr));
    for (unsigned i = 0; i < sizeof esc; i++) printf("%d ", esc[i]);
    printf("\n%s|%s|%s\n", STR(VALUE), XSTR(VALUE), STR("q\n" 'c'));
    printf("%d %c %c\n", CAT(VAL, UE), "literal"[3], 2["index"]);
    printf("%d %d %d\n", (int)(sizeof wide / sizeof *wide), (int)wide[5], (int)sizeof(L'x'));
    printf("%d %x %x %x %d\n", (int)(sizeof u16 / 2), u16[0], u16[1], u16[2], (int)sizeof u8s);
    for (unsigned i = 0; i + 1 < sizeof u8s; i++) printf("%02x", (unsigned char)u8s[i]);
    printf("\n%s\n", "line one \
continued");
    const char *multi = "row1\n"
                        "row2\n" /* comment */ "row3\n";
    fputs(multi, stdout);
    puts(""); puts("tab\there"); puts("percent % alone");
    const char *s = __func__; printf("%s %d\n", s, (int)sizeof __func__);
    arr[0] = 'A'; strcpy(pad, "rewrite"); printf("%s %s\n", arr, pad);
    printf("%d %d\n", 'ab' == 'a' * 256 + 'b', '\377' < 0); /* warn-ok */
    return "\x2a"[0];
}
