/* files.c: files, of which there are none.  The three streams have no positions.  What would open, create, rename or
 * remove a file (fopen, tmpfile, freopen, open, ...) is declared and not defined: a program that calls it is refused by
 * name. */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* The streams that there are have no positions. */

static int no_position(void) {
    errno = ESPIPE;
    return -1;
}

int fseek(FILE *f, long offset, int origin) {
    (void)f, (void)offset, (void)origin;
    return no_position();
}
long ftell(FILE *f) {
    (void)f;
    return no_position();
}
int fgetpos(FILE *restrict f, fpos_t *restrict position) {
    (void)f, (void)position;
    return no_position();
}
int fsetpos(FILE *f, const fpos_t *position) {
    (void)f, (void)position;
    return no_position();
}
void rewind(FILE *f) { clearerr(f); }


/* Lines of input, which has ended */

char *gets(char *s) { return fgets(s, 0, stdin); }

ssize_t getdelim(char **restrict line, size_t *restrict size, int delimiter, FILE *restrict f) {
    (void)line, (void)size, (void)delimiter;
    return fgetc(f);
}
ssize_t getline(char **restrict line, size_t *restrict size, FILE *restrict f) {
    return getdelim(line, size, '\n', f);
}

/* Descriptors */

int isatty(int fd) {
    errno = fd >= 0 && fd <= 2 ? ENOTTY : EBADF;
    return 0;
}

int close(int fd) {
    if (fd >= 0 && fd <= 2)
        return 0;
    errno = EBADF;
    return -1;
}
