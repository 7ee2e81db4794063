//! A trie over a static node pool, a fixed-size block allocator and a bit set.
#include <stdio.h>
#include <string.h>
#include <stdint.h>
struct t { uint16_t kid[26]; uint8_t end; };
static struct t pool[200];
static uint16_t used = 1;
static int add(const char *w) {
    uint16_t n = 0;
    for (; *w; w++) { uint16_t *k = &pool[n].kid[*w - 'a']; if (!*k) *k = used++; n = *k; }
    int was = pool[n].end;
    pool[n].end = 1;
    return !was;
}
static int has(const char *w) {
    uint16_t n = 0;
    for (; *w; w++) if (!(n = pool[n].kid[*w - 'a'])) return 0;
    return pool[n].end;
}
static int list(uint16_t n, char *b, int d) {
    int c = 0;
    if (pool[n].end) { b[d] = 0; printf("%s ", b); c++; }
    for (int i = 0; i < 26; i++) if (pool[n].kid[i]) { b[d] = (char)('a' + i); c += list(pool[n].kid[i], b, d + 1); }
    return c;
}
#define BS 32
#define NB 16
static union blk { union blk *next; unsigned char raw[BS]; } arena[NB], *freel;
static int live;
static void binit(void) { for (int i = NB - 1; i >= 0; i--) { arena[i].next = freel; freel = &arena[i]; } }
static void *bget(void) { union blk *b = freel; if (b) { freel = b->next; live++; memset(b, 0xaa, BS); } return b; }
static void bput(void *p) { union blk *b = p; b->next = freel; freel = b; live--; }
static uint32_t set[8];
static void on(unsigned i) { set[i / 32] |= 1u << i % 32; }
static void off(unsigned i) { set[i / 32] &= ~(1u << i % 32); }
static int is(unsigned i) { return set[i / 32] >> i % 32 & 1; }
int main(void) {
    static const char *const w[] = {"car", "cart", "care", "dog", "do", "dot", "cat", "car", "zebra", "a"};
    for (int i = 0; i < 10; i++) printf("%d", add(w[i]));
    char b[16];
    printf(" ");
    int n = list(0, b, 0);
    printf("= %d nodes %d\n", n, used);
    printf("%d %d %d %d\n", has("cart"), has("ca"), has("zebras"), has("dot"));
    binit();
    void *p[20];
    int got = 0;
    for (int i = 0; i < 20; i++) got += (p[i] = bget()) != 0;
    printf("%d %d\n", got, live);
    for (int i = 0; i < 16; i += 3) bput(p[i]);
    printf("%d ", live);
    got = 0;
    while (bget()) got++;
    printf("%d %d\n", got, (int)((unsigned char *)p[1])[5]);
    for (unsigned i = 0; i < 256; i += 3) on(i);
    for (unsigned i = 0; i < 256; i += 5) off(i);
    int c = 0, last = 0;
    for (unsigned i = 0; i < 256; i++) if (is(i)) { c++; last = (int)i; }
    printf("%d %d %08x\n", c, last, set[3]);
    return c;
}
