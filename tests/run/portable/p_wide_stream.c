//! A program that writes its output with the functions for wide characters.
#include <errno.h>
#include <stdio.h>
#include <wchar.h>

int main(void) {
    fwide(stdout, 1);
    wprintf(L"%d %s %ls %c %lc\n", 12, "narrow", L"wide", 'c', L'd');
    fputws(L"line\n", stdout);
    putwchar(L'x');
    putwc(L'\n', stdout);
    fwprintf(stdout, L"%6.2f|%-6d|\n", 2.5, 3);
    int before = getwchar() == WEOF;
    wprintf(L"%d %d\n", before, fwide(stdout, 0) > 0);
    return 0;
}
