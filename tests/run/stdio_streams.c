//! Streams for reading cannot be written to, what is put back can be read again, and main has an environment.
#define _GNU_SOURCE 1
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

extern char **environ;

int main(int count, char **arguments, char **environment) {
    printf("%d %d %d\n", count, arguments[count] == NULL, environment != NULL);
    errno = 0;
    printf("%d %d %d\n", fputc('x', stdin), ferror(stdin) != 0, errno == EBADF);
    clearerr(stdin);
    printf("%d %d\n", fputs("text", stdin) < 0, (int)fwrite("text", 1, 4, stdin));
    printf("%d\n", fprintf(stdin, "%d", 5) < 0);
    clearerr(stdin);
    printf("%d %d\n", ungetc('q', stdin), ungetc(EOF, stdin));
    printf("%d %d\n", getchar(), ferror(stdin) != 0);
    char line[8] = "";
    ungetc('z', stdin);
    printf("%d %d\n", (int)fread(line, 1, 1, stdin), line[0]);
    printf("%b %#b %B %08b\n", 5u, 6u, 7u, 9u);

    environ[0] = NULL;
    static char mine[] = "PLACE=here";
    printf("%d %s\n", putenv(mine), getenv("PLACE"));
    memcpy(mine + 6, "away", 4);
    printf("%s\n", getenv("PLACE"));
    printf("%d %s\n", setenv("PLACE", "home", 1), getenv("PLACE"));
    printf("%s\n", strsignal(13));
    return 0;
}
