/* wide.h: wide text as UTF-8, in which the functions for narrow text can work on it. */
#ifndef BROWNOUT_WIDE_H
#define BROWNOUT_WIDE_H
#include <stddef.h>
#include <stdint.h>

/* No character takes more bytes. */
#define WIDE_MOST ((size_t)(sizeof(wchar_t) > 2 ? 4 : 3))

/* Whether a byte only goes on with a character that another one began. */
static inline int is_continuation(char byte) { return (byte & 0xc0) == 0x80; }

/* Writes the bytes of a character and says how many; 0 if it is beyond what UTF-8 has. */
static inline size_t wide_bytes(char *to, wchar_t wide) {
    uint32_t c = (uint32_t)wide;
    if (sizeof(wchar_t) == 2)
        c &= 0xffff;
    if (c < 0x80) {
        to[0] = (char)c;
        return 1;
    }
    if (c > 0x10ffff)
        return 0;
    size_t n = c < 0x800 ? 2 : c < 0x10000 ? 3 : 4;
    for (size_t i = n; --i; c >>= 6)
        to[i] = (char)(0x80 | (c & 0x3f));
    to[0] = (char)((0xf00 >> n & 0xf0) | c);
    return n;
}

/* The character at s; returns where the next one begins. */
static inline const char *wide_character(const char *s, wchar_t *wide) {
    unsigned char first = (unsigned char)*s++;
    uint32_t c = first < 0x80 ? first : first < 0xe0 ? first & 0x1f : first < 0xf0 ? first & 0xf : first & 7;
    for (; first >= 0x80 && is_continuation(*s); s++)
        c = c << 6 | (*s & 0x3f);
    *wide = (wchar_t)c;
    return s;
}

/* The whole of a text, into room for WIDE_MOST bytes of every character and one; returns its length,
 * or (size_t)-1 if a character has no bytes. */
static inline size_t wide_text(char *to, const wchar_t *from) {
    size_t length = 0;
    for (; *from; from++) {
        size_t n = wide_bytes(to + length, *from);
        if (!n)
            return (size_t)-1;
        length += n;
    }
    to[length] = 0;
    return length;
}
#endif
