//! Calls through pointers of another type that work on every machine.
#include <stdarg.h>
#include <stdio.h>

static int one(int a) { return a * 2; }
static void nothing(int *p) { *p += 1; }
static char narrow(char c) { return (char)(c + 1); }
static int sum(int n, ...) {
    va_list list;
    int total = n;
    va_start(list, n);
    for (int i = 0; i < n; i++)
        total += va_arg(list, int);
    va_end(list);
    return total;
}

/* Hides from the compiler which function it is. */
static void *hide(void *p) {
    void *volatile hidden = p;
    return hidden;
}

int main(void) {
    int n = 5;
    /* More arguments than the callee takes. */
    printf("%d\n", ((int (*)(int, int, int))hide((void *)one))(21, 22, 23));
    /* A result that nobody wants, and one that nobody gives. */
    ((void (*)(int))hide((void *)one))(4);
    (void)((int (*)(int *))hide((void *)nothing))(&n);
    printf("%d\n", n);
    /* Pointers as other pointers and as integers. */
    ((void (*)(char *))hide((void *)nothing))((char *)&n);
    ((void (*)(long))hide((void *)nothing))((long)&n);
    printf("%d\n", n);
    /* An int where a char is taken. */
    printf("%c\n", ((char (*)(int))hide((void *)narrow))('a'));
    /* No variable argument, and another type of result. */
    printf("%d\n", ((int (*)(int))hide((void *)sum))(0));
    ((void (*)(int, ...))hide((void *)sum))(2, 3, 4);
    printf("%d\n", ((int (*)(int, ...))hide((void *)sum))(2, 3, 4));
    return 0;
}
