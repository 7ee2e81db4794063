//! Every name that C11 has in <stdio.h> is there: streams.
#define _GNU_SOURCE 1
#include <stdio.h>
#include <stdio.h>

#ifndef _IOFBF
#error _IOFBF
#endif
#ifndef _IOLBF
#error _IOLBF
#endif
#ifndef _IONBF
#error _IONBF
#endif
#ifndef BUFSIZ
#error BUFSIZ
#endif
#ifndef EOF
#error EOF
#endif
#ifndef FOPEN_MAX
#error FOPEN_MAX
#endif
#ifndef FILENAME_MAX
#error FILENAME_MAX
#endif
#ifndef L_tmpnam
#error L_tmpnam
#endif
#ifndef SEEK_CUR
#error SEEK_CUR
#endif
#ifndef SEEK_END
#error SEEK_END
#endif
#ifndef SEEK_SET
#error SEEK_SET
#endif
#ifndef TMP_MAX
#error TMP_MAX
#endif
#ifndef stderr
#error stderr
#endif
#ifndef stdin
#error stdin
#endif
#ifndef stdout
#error stdout
#endif
#ifndef NULL
#error NULL
#endif

enum { SIZES = !sizeof(fpos_t) + !sizeof(size_t) };

static void (*const functions[])(void) = {
    (void (*)(void))fclose, (void (*)(void))fflush, (void (*)(void))setbuf,
    (void (*)(void))setvbuf, (void (*)(void))fprintf, (void (*)(void))fscanf, (void (*)(void))printf,
    (void (*)(void))scanf, (void (*)(void))snprintf, (void (*)(void))sprintf, (void (*)(void))sscanf,
    (void (*)(void))vfprintf, (void (*)(void))vfscanf, (void (*)(void))vprintf, (void (*)(void))vscanf,
    (void (*)(void))vsnprintf, (void (*)(void))vsprintf, (void (*)(void))vsscanf, (void (*)(void))fgetc,
    (void (*)(void))fgets, (void (*)(void))fputc, (void (*)(void))fputs, (void (*)(void))getc,
    (void (*)(void))getchar, (void (*)(void))putc, (void (*)(void))putchar, (void (*)(void))puts,
    (void (*)(void))ungetc, (void (*)(void))fread, (void (*)(void))fwrite, (void (*)(void))fgetpos,
    (void (*)(void))fseek, (void (*)(void))fsetpos, (void (*)(void))ftell, (void (*)(void))rewind,
    (void (*)(void))clearerr, (void (*)(void))feof, (void (*)(void))ferror, (void (*)(void))perror,
    (void (*)(void))getline, (void (*)(void))getdelim, (void (*)(void))dprintf, (void (*)(void))vdprintf,
    (void (*)(void))fileno, (void (*)(void))putc_unlocked, (void (*)(void))putchar_unlocked,
    (void (*)(void))getc_unlocked, (void (*)(void))getchar_unlocked,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
