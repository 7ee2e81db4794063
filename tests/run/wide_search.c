//! Searching and copying wide characters.
#include <stdio.h>
#include <wchar.h>

int main(void) {
    wchar_t text[16] = L"brown, out, bro", other[8];
    printf("%ld %ld\n", (long)(wmemchr(text, L'o', 15) - text), (long)(wcsrchr(text, L'o') - text));
    printf("%d %ld %ld\n", wmemchr(text, L'x', 15) == NULL, (long)(wcsstr(text, L"out") - text), (long)(wcsrchr(text, 0) - text));
    printf("%d %ld\n", wcsstr(text, L"outs") == NULL, (long)(wcsstr(text, L"") - text));
    wmemmove(text + 2, text, 5);
    wmemmove(text + 1, text + 3, 5);
    for (int i = 0; i < 8; i++) printf("%d ", (int)text[i]);
    wcsncpy(other, L"abc", 8);
    for (int i = 0; i < 8; i++) printf("%d ", (int)other[i]);
    puts("");
    return 0;
}
