//! Packed structures with bit-fields and their exact byte image.
#include <stdio.h>
#include <string.h>
#include <stdint.h>

struct __attribute__((packed)) hdr {
    uint8_t ver : 4, ihl : 4;
    uint16_t len;
    uint32_t flags : 3, off : 13, ttl : 8, proto : 8;
    uint8_t tail;
};
struct __attribute__((packed)) odd { unsigned a : 3; unsigned b : 11; unsigned c : 17; unsigned d : 9; char e; };
struct loose { unsigned a : 3; unsigned b : 11; unsigned c : 17; unsigned d : 9; char e; };

static void dump(const void *p, size_t n) {
    const unsigned char *b = p;
    for (size_t i = 0; i < n; i++) printf("%02x", b[i]);
    printf(" (%d)\n", (int)n);
}

int main(void) {
    struct hdr h; memset(&h, 0, sizeof h);
    h.ver = 4; h.ihl = 5; h.len = 0xbeef; h.flags = 2; h.off = 0x1abc; h.ttl = 64; h.proto = 17; h.tail = 0x7e;
    dump(&h, sizeof h);
    printf("%u %u %x %u %x %u %u %x\n", h.ver, h.ihl, h.len, h.flags, h.off, h.ttl, h.proto, h.tail);
    struct odd o; memset(&o, 0, sizeof o); o.a = 5; o.b = 0x5a5; o.c = 0x1beef; o.d = 0x155; o.e = '!';
    dump(&o, sizeof o); printf("%u %x %x %x %c\n", o.a, o.b, o.c, o.d, o.e);
    o.c += 0x10000; o.b = 0; dump(&o, sizeof o);
    struct loose l; memset(&l, 0, sizeof l); l.a = 5; l.b = 0x5a5; l.c = 0x1beef; l.d = 0x155; l.e = '!';
    dump(&l, sizeof l);
    struct hdr arr[3]; memset(arr, 0, sizeof arr);
    for (int i = 0; i < 3; i++) { arr[i].off = (uint16_t)(i * 1000) & 0x1fff; arr[i].tail = (uint8_t)i; }
    dump(arr, sizeof arr);
    unsigned char wire[] = {0x54, 0x34, 0x12, 0xff, 0x01, 0x80, 0x06, 0x99};
    struct hdr in; memcpy(&in, wire, sizeof in < sizeof wire ? sizeof in : sizeof wire);
    printf("%u %u %x %u %x %u %u\n", in.ver, in.ihl, in.len, in.flags, in.off, in.ttl, in.proto);
    return (int)sizeof(struct odd);
}
