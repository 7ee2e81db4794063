//! A structure is filled byte by byte through a character pointer, and stored.
//@ args: --static
#include <brownout.h>

unsigned char spi_byte(void) BROWNOUT_INPUT;

struct header {
    unsigned char kind;
    unsigned int length;
};

int pending;

static void fill(void *to, unsigned int bytes) {
    unsigned char *p = to;
    while (bytes-- > 0) {
        *p++ = spi_byte();
    }
}

int main(void) {
    struct header header;
    brownout_checkpoint();
    fill(&header, sizeof header);
    pending = header.length > 100;
    return 0;
}
