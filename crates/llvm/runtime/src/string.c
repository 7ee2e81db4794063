/* string.c: string.h and strings.h.
 *
 * Block moves go through the machine.  Everything else walks bytes one at a
 * time in the most obvious way, because the emulator studies these accesses as
 * if they were the program's own. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "machine.h"

typedef unsigned char byte;

static int lower(int c) { return c >= 'A' && c <= 'Z' ? c + ('a' - 'A') : c; }

/* Memory */

void *memcpy(void *restrict to, const void *restrict from, size_t n) {
    __brownout_copy(to, from, n);
    return to;
}

void *mempcpy(void *restrict to, const void *restrict from, size_t n) {
    __brownout_copy(to, from, n);
    return (byte *)to + n;
}

void *memmove(void *to, const void *from, size_t n) {
    __brownout_copy(to, from, n);
    return to;
}

void *memset(void *to, int value, size_t n) {
    __brownout_fill(to, value & 0xff, n);
    return to;
}

void *memccpy(void *restrict to, const void *restrict from, int stop, size_t n) {
    byte *d = to;
    const byte *s = from;
    while (n--) {
        byte c = *s++;
        *d++ = c;
        if (c == (byte)stop)
            return d;
    }
    return NULL;
}

int memcmp(const void *a, const void *b, size_t n) {
    const byte *p = a, *q = b;
    for (; n; n--, p++, q++)
        if (*p != *q)
            return *p - *q;
    return 0;
}

void *memchr(const void *p, int value, size_t n) {
    for (const byte *s = p; n; n--, s++)
        if (*s == (byte)value)
            return (void *)s;
    return NULL;
}

void *memrchr(const void *p, int value, size_t n) {
    const byte *s = p;
    while (n--)
        if (s[n] == (byte)value)
            return (void *)(s + n);
    return NULL;
}

void *memmem(const void *hay, size_t hay_size, const void *needle, size_t needle_size) {
    const byte *s = hay;
    for (; hay_size >= needle_size; hay_size--, s++)
        if (memcmp(s, needle, needle_size) == 0)
            return (void *)s;
    return NULL;
}

int bcmp(const void *a, const void *b, size_t n) { return memcmp(a, b, n); }
void bcopy(const void *from, void *to, size_t n) { __brownout_copy(to, from, n); }
void bzero(void *p, size_t n) { __brownout_fill(p, 0, n); }

/* Length and copying */

size_t strlen(const char *s) {
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t strnlen(const char *s, size_t limit) {
    size_t n = 0;
    while (n < limit && s[n])
        n++;
    return n;
}

char *stpcpy(char *restrict to, const char *restrict from) {
    while ((*to = *from)) {
        to++;
        from++;
    }
    return to;
}

char *strcpy(char *restrict to, const char *restrict from) {
    stpcpy(to, from);
    return to;
}

char *stpncpy(char *restrict to, const char *restrict from, size_t n) {
    for (; n && *from; n--)
        *to++ = *from++;
    for (size_t i = 0; i < n; i++)
        to[i] = 0;
    return to;
}

char *strncpy(char *restrict to, const char *restrict from, size_t n) {
    stpncpy(to, from, n);
    return to;
}

char *strcat(char *restrict to, const char *restrict from) {
    stpcpy(to + strlen(to), from);
    return to;
}

char *strncat(char *restrict to, const char *restrict from, size_t n) {
    char *d = to + strlen(to);
    while (n-- && *from)
        *d++ = *from++;
    *d = 0;
    return to;
}

size_t strlcpy(char *restrict to, const char *restrict from, size_t size) {
    size_t n = 0;
    while (from[n]) {
        if (n + 1 < size)
            to[n] = from[n];
        n++;
    }
    if (size)
        to[n < size ? n : size - 1] = 0;
    return n;
}

size_t strlcat(char *restrict to, const char *restrict from, size_t size) {
    size_t have = strnlen(to, size);
    return have + strlcpy(to + have, from, size - have);
}

char *strdup(const char *s) {
    size_t n = strlen(s) + 1;
    char *copy = malloc(n);
    return copy ? memcpy(copy, s, n) : NULL;
}

char *strndup(const char *s, size_t limit) {
    size_t n = strnlen(s, limit);
    char *copy = malloc(n + 1);
    if (!copy)
        return NULL;
    memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

/* Comparing */

int strcmp(const char *a, const char *b) {
    while (*a && *a == *b) {
        a++;
        b++;
    }
    return (byte)*a - (byte)*b;
}

int strncmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++)
        if (!*a || *a != *b)
            return (byte)*a - (byte)*b;
    return 0;
}

int strcasecmp(const char *a, const char *b) {
    while (*a && lower((byte)*a) == lower((byte)*b)) {
        a++;
        b++;
    }
    return lower((byte)*a) - lower((byte)*b);
}

int strncasecmp(const char *a, const char *b, size_t n) {
    for (; n; n--, a++, b++)
        if (!*a || lower((byte)*a) != lower((byte)*b))
            return lower((byte)*a) - lower((byte)*b);
    return 0;
}

int strcoll(const char *a, const char *b) { return strcmp(a, b); }

size_t strxfrm(char *restrict to, const char *restrict from, size_t n) {
    size_t length = strlen(from);
    if (length < n)
        strcpy(to, from);
    else if (n)
        memcpy(to, from, n);
    return length;
}

/* Searching */

char *strchrnul(const char *s, int c) {
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

char *strchr(const char *s, int c) {
    s = strchrnul(s, c);
    return *s == (char)c ? (char *)s : NULL;
}

char *strrchr(const char *s, int c) {
    const char *found = NULL;
    for (;; s++) {
        if (*s == (char)c)
            found = s;
        if (!*s)
            return (char *)found;
    }
}

char *index(const char *s, int c) { return strchr(s, c); }
char *rindex(const char *s, int c) { return strrchr(s, c); }

/* Whether c, which is not the terminator, is one of the characters of set. */
static int is_in(char c, const char *set) {
    while (*set)
        if (*set++ == c)
            return 1;
    return 0;
}

size_t strspn(const char *s, const char *accept) {
    size_t n = 0;
    while (s[n] && is_in(s[n], accept))
        n++;
    return n;
}

size_t strcspn(const char *s, const char *reject) {
    size_t n = 0;
    while (s[n] && !is_in(s[n], reject))
        n++;
    return n;
}

char *strpbrk(const char *s, const char *accept) {
    s += strcspn(s, accept);
    return *s ? (char *)s : NULL;
}

char *strstr(const char *hay, const char *needle) {
    for (;; hay++) {
        size_t i = 0;
        while (needle[i] && hay[i] == needle[i])
            i++;
        if (!needle[i])
            return (char *)hay;
        if (!*hay)
            return NULL;
    }
}

char *strcasestr(const char *hay, const char *needle) {
    for (;; hay++) {
        size_t i = 0;
        while (needle[i] && lower((byte)hay[i]) == lower((byte)needle[i]))
            i++;
        if (!needle[i])
            return (char *)hay;
        if (!*hay)
            return NULL;
    }
}

/* Splitting */

char *strsep(char **restrict s, const char *restrict separators) {
    char *word = *s;
    if (!word)
        return NULL;
    char *end = word + strcspn(word, separators);
    *s = *end ? end + 1 : NULL;
    *end = 0;
    return word;
}

char *strtok_r(char *restrict s, const char *restrict separators, char **restrict state) {
    if (!s)
        s = *state;
    if (!s)
        return NULL;
    s += strspn(s, separators);
    char *end = s + strcspn(s, separators);
    if (end == s) {
        *state = end;
        return NULL;
    }
    if (*end)
        *end++ = 0;
    *state = end;
    return s;
}

char *strtok(char *restrict s, const char *restrict separators) {
    static char *__brownout_strtok_state;
    return strtok_r(s, separators, &__brownout_strtok_state);
}

/* Bits */

int ffsll(long long bits) {
    if (!bits)
        return 0;
    int n = 1;
    for (unsigned long long u = (unsigned long long)bits; !(u & 1); u >>= 1)
        n++;
    return n;
}

int ffsl(long bits) { return ffsll(bits); }
int ffs(int bits) { return ffsll(bits); }

/* As memset, which a compiler may leave out. */
void explicit_bzero(void *p, size_t n) {
    volatile unsigned char *at = p;
    while (n--)
        *at++ = 0;
}

void swab(const void *restrict from, void *restrict to, ssize_t n) {
    const char *a = from;
    char *b = to;
    for (; n > 1; n -= 2, a += 2, b += 2) {
        char first = a[0];
        b[0] = a[1];
        b[1] = first;
    }
}
