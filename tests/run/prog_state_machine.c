//! A table-driven protocol parser state machine fed byte by byte.
#include <stdio.h>
#include <stdint.h>
enum st { SYNC, LEN, DATA, SUM, NST }; struct parser { enum st s; uint8_t len, got, sum, buf[16]; int ok, err; };
typedef enum st (*handler)(struct parser *, uint8_t);
static enum st on_sync(struct parser *p, uint8_t b) { (void)p; return b == 0x7e ? LEN : SYNC; }
static enum st on_len(struct parser *p, uint8_t b) {
    if (b == 0 || b > 16) { p->err++; return SYNC; }
    p->len = b;
    p->got = 0;
    p->sum = b;
    return DATA;
}
static enum st on_data(struct parser *p, uint8_t b) {
    p->buf[p->got++] = b;
    p->sum += b;
    return p->got == p->len ? SUM : DATA;
}
static enum st on_sum(struct parser *p, uint8_t b) {
    if ((uint8_t)(p->sum + b) == 0) {
        p->ok++;
        printf("frame");
        for (int i = 0; i < p->len; i++) printf(" %02x", p->buf[i]);
        printf("\n");
    } else { p->err++; printf("bad sum %02x\n", p->sum); }
    return SYNC;
}
static const handler table[NST] = {[SYNC] = on_sync, [LEN] = on_len, [DATA] = on_data, [SUM] = on_sum};
static void feed(struct parser *p, const uint8_t *d, int n) { for (int i = 0; i < n; i++) p->s = table[p->s](p, d[i]); }
enum light { RED, GREEN, YELLOW };
static const struct {
    enum light next;
    int ticks;
    const char *name;
} lights[] = {[RED] = {GREEN, 4, "red"}, [GREEN] = {YELLOW, 3, "green"}, [YELLOW] = {RED, 1, "yellow"}};

int main(void) {
    static const uint8_t d[] = {0, 1, 0x7e, 3, 0xa, 0xb, 0xc, 0xdc, 0x7e, 0, 0x7e, 99, 0x7e, 1, 0x7e, 0x81, 0x55, 0x7e, 2, 1, 1, 1, 0x7e, 4, 1, 2, 3, 4, 0xf2};
    struct parser p = {0};
    feed(&p, d, 10);
    feed(&p, d + 10, (int)sizeof d - 10);
    printf("%d %d %d\n", p.ok, p.err, p.s);
    enum light l = RED;
    int t = 0;
    for (int tick = 0; tick < 20; tick++) {
        if (t == 0) printf("%d:%s ", tick, lights[l].name);
        if (++t == lights[l].ticks) { t = 0; l = lights[l].next; }
    }
    printf("\n");
    return p.ok * 10 + p.err;
}
