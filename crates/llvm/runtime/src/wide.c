/* wide.c: wide strings.  Optimisers call for some of them by themselves: clang turns loops over
 * wchar_t into wcslen. */

#include <wchar.h>

size_t wcslen(const wchar_t *text) {
    const wchar_t *at = text;
    while (*at) at++;
    return (size_t)(at - text);
}

int wcscmp(const wchar_t *a, const wchar_t *b) {
    while (*a && *a == *b) a++, b++;
    return (*a > *b) - (*a < *b);
}

int wcsncmp(const wchar_t *a, const wchar_t *b, size_t n) {
    for (; n; n--, a++, b++) {
        if (*a != *b) return *a > *b ? 1 : -1;
        if (!*a) break;
    }
    return 0;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
    wchar_t *at = to;
    while ((*at++ = *from++)) {}
    return to;
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
    wcscpy(to + wcslen(to), from);
    return to;
}

wchar_t *wcschr(const wchar_t *text, wchar_t wanted) {
    for (;; text++) {
        if (*text == wanted) return (wchar_t *)text;
        if (!*text) return NULL;
    }
}

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = from[i];
    return to;
}

wchar_t *wmemset(wchar_t *to, wchar_t value, size_t n) {
    for (size_t i = 0; i < n; i++) to[i] = value;
    return to;
}

int wmemcmp(const wchar_t *a, const wchar_t *b, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i]) return a[i] > b[i] ? 1 : -1;
    return 0;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t n) {
    if (to <= from)
        for (size_t i = 0; i < n; i++) to[i] = from[i];
    else
        while (n--) to[n] = from[n];
    return to;
}

wchar_t *wmemchr(const wchar_t *in, wchar_t wanted, size_t n) {
    for (; n; n--, in++)
        if (*in == wanted) return (wchar_t *)in;
    return NULL;
}

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t n) {
    size_t i = 0;
    for (; i < n && from[i]; i++) to[i] = from[i];
    for (; i < n; i++) to[i] = 0;
    return to;
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t wanted) {
    const wchar_t *last = NULL;
    for (;; text++) {
        if (*text == wanted) last = text;
        if (!*text) return (wchar_t *)last;
    }
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *wanted) {
    size_t n = wcslen(wanted);
    for (;; text++) {
        if (!wcsncmp(text, wanted, n)) return (wchar_t *)text;
        if (!*text) return NULL;
    }
}

size_t wcsnlen(const wchar_t *text, size_t n) {
    size_t length = 0;
    while (length < n && text[length]) length++;
    return length;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from) {
    wcscpy(to, from);
    return to + wcslen(from);
}

wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t n) {
    wcsncpy(to, from, n);
    return to + wcsnlen(from, n);
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t n) {
    return wmemcpy(to, from, n) + n;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t n) {
    wchar_t *end = to + wcslen(to);
    size_t length = wcsnlen(from, n);
    wmemcpy(end, from, length);
    end[length] = 0;
    return to;
}

int wcscoll(const wchar_t *a, const wchar_t *b) { return wcscmp(a, b); }

size_t wcsxfrm(wchar_t *to, const wchar_t *from, size_t n) {
    size_t length = wcslen(from);
    if (length < n) wcscpy(to, from);
    else wcsncpy(to, from, n);
    return length;
}

size_t wcsspn(const wchar_t *text, const wchar_t *accept) {
    size_t n = 0;
    while (text[n] && wcschr(accept, text[n])) n++;
    return n;
}

size_t wcscspn(const wchar_t *text, const wchar_t *reject) {
    size_t n = 0;
    while (text[n] && !wcschr(reject, text[n])) n++;
    return n;
}

wchar_t *wcspbrk(const wchar_t *text, const wchar_t *accept) {
    text += wcscspn(text, accept);
    return *text ? (wchar_t *)text : NULL;
}

wchar_t *wcstok(wchar_t *text, const wchar_t *separators, wchar_t **state) {
    if (!text) text = *state;
    if (!text) return NULL;
    text += wcsspn(text, separators);
    wchar_t *end = text + wcscspn(text, separators);
    if (end == text) {
        *state = NULL;
        return NULL;
    }
    *state = *end ? end + 1 : NULL;
    *end = 0;
    return text;
}
