/* multibyte.c: bytes to wide characters and back.
 *
 * In the C locale a byte below 128 is the wide character of the same number; no other byte is a
 * character, and no other wide character has bytes (EILSEQ).  Nothing depends on what came before, so
 * the state stays as it is. */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <uchar.h>
#include <wchar.h>

#define NO_CHARACTER ((size_t)-1)
#define INCOMPLETE ((size_t)-2)

static size_t no_character(void) {
    errno = EILSEQ;
    return NO_CHARACTER;
}

wint_t btowc(int c) { return c >= 0 && c < 128 ? (wint_t)c : WEOF; }
int wctob(wint_t c) { return c < 128 ? (int)c : EOF; }
int mbsinit(const mbstate_t *state) { return !state || !state->__count; }

/* The character at s of which n bytes may be looked at: how many bytes it has, 0 for the last one. */
static size_t read_character(uint32_t *c, const char *s, size_t n) {
    if (n == 0)
        return INCOMPLETE;
    *c = (unsigned char)*s;
    return *c >= 128 ? no_character() : *c != 0;
}

static size_t write_character(char *to, uint32_t c) {
    if (c >= 128)
        return no_character();
    *to = (char)c;
    return 1;
}

#define READ(name, type)                                                          \
    size_t name(type *restrict to, const char *restrict s, size_t n, mbstate_t *restrict state) { \
        uint32_t c;                                                               \
        (void)state;                                                              \
        if (!s)                                                                   \
            return 0;                                                             \
        size_t used = read_character(&c, s, n);                                   \
        if (to && used <= 1)                                                      \
            *to = (type)c;                                                        \
        return used;                                                              \
    }
READ(mbrtowc, wchar_t)
READ(mbrtoc16, char16_t)
READ(mbrtoc32, char32_t)

#define WRITE(name, type)                                                     \
    size_t name(char *restrict to, type c, mbstate_t *restrict state) {       \
        (void)state;                                                          \
        return to ? write_character(to, (uint32_t)c) : 1;                     \
    }
WRITE(wcrtomb, wchar_t)
WRITE(c16rtomb, char16_t)
WRITE(c32rtomb, char32_t)

size_t mbrlen(const char *restrict s, size_t n, mbstate_t *restrict state) {
    return mbrtowc(NULL, s, n, state);
}

int mbtowc(wchar_t *restrict to, const char *restrict s, size_t n) {
    size_t used = mbrtowc(to, s, n, NULL);
    return used == INCOMPLETE ? -1 : (int)used;
}

int mblen(const char *s, size_t n) { return mbtowc(NULL, s, n); }
int wctomb(char *to, wchar_t c) { return to ? (int)wcrtomb(to, c, NULL) : 0; }

/* Texts.  With nowhere to write to, they are only measured; else *from says how far they were read. */

size_t mbsnrtowcs(wchar_t *restrict to, const char **restrict from, size_t bytes, size_t n,
                  mbstate_t *restrict state) {
    const char *s = *from;
    size_t count = 0;
    uint32_t c = 1;
    (void)state;
    for (; (!to || count < n) && count < bytes; s++, count++) {
        if (read_character(&c, s, 1) == NO_CHARACTER)
            break;
        if (to)
            to[count] = (wchar_t)c;
        if (c == 0)
            break;
    }
    if (to)
        *from = c ? s : NULL;
    return c < 128 ? count : NO_CHARACTER;
}

size_t wcsnrtombs(char *restrict to, const wchar_t **restrict from, size_t count, size_t n,
                  mbstate_t *restrict state) {
    const wchar_t *s = *from;
    size_t length = 0, used = 1;
    (void)state;
    for (; (!to || length < n) && length < count; s++, length++) {
        char byte;
        used = write_character(to ? to + length : &byte, (uint32_t)*s);
        if (used != 1 || !*s)
            break;
    }
    int ended = used == 1 && (!to || length < n) && length < count;
    if (to)
        *from = ended ? NULL : s;
    return used == 1 ? length : NO_CHARACTER;
}

size_t mbsrtowcs(wchar_t *restrict to, const char **restrict from, size_t n, mbstate_t *restrict state) {
    return mbsnrtowcs(to, from, (size_t)-1, n, state);
}
size_t wcsrtombs(char *restrict to, const wchar_t **restrict from, size_t n, mbstate_t *restrict state) {
    return wcsnrtombs(to, from, (size_t)-1, n, state);
}
size_t mbstowcs(wchar_t *restrict to, const char *restrict from, size_t n) {
    const char *s = from;
    return mbsrtowcs(to, &s, n, NULL);
}
size_t wcstombs(char *restrict to, const wchar_t *restrict from, size_t n) {
    const wchar_t *s = from;
    return wcsrtombs(to, &s, n, NULL);
}

int wcwidth(wchar_t c) { return c == 0 ? 0 : c >= 32 && c < 127 ? 1 : -1; }

int wcswidth(const wchar_t *s, size_t n) {
    int width = 0;
    for (; n && *s; n--, s++) {
        if (wcwidth(*s) < 0)
            return -1;
        width++;
    }
    return width;
}
