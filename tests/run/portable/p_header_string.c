//! Every name that C11 has in <string.h> is there: strings.
#define _GNU_SOURCE 1
#include <string.h>
#include <stdio.h>

static void (*const functions[])(void) = {
    (void (*)(void))memcpy, (void (*)(void))memmove, (void (*)(void))strcpy, (void (*)(void))strncpy,
    (void (*)(void))strcat, (void (*)(void))strncat, (void (*)(void))memcmp, (void (*)(void))strcmp,
    (void (*)(void))strcoll, (void (*)(void))strncmp, (void (*)(void))strxfrm, (void (*)(void))memchr,
    (void (*)(void))strchr, (void (*)(void))strcspn, (void (*)(void))strpbrk, (void (*)(void))strrchr,
    (void (*)(void))strspn, (void (*)(void))strstr, (void (*)(void))strtok, (void (*)(void))memset,
    (void (*)(void))strerror, (void (*)(void))strlen, (void (*)(void))strdup, (void (*)(void))strndup,
    (void (*)(void))strnlen, (void (*)(void))strtok_r, (void (*)(void))stpcpy, (void (*)(void))stpncpy,
    (void (*)(void))memccpy, (void (*)(void))strsignal, (void (*)(void))strcasecmp,
    (void (*)(void))strncasecmp, (void (*)(void))ffs, (void (*)(void))bzero, (void (*)(void))bcopy,
    (void (*)(void))index, (void (*)(void))rindex,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
