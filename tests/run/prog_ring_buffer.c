//! A byte ring buffer and a structure queue with wrap-around, overflow and statistics.
#include <stdio.h>
#include <stdint.h>
#include <string.h>
struct ring { uint8_t buf[16]; volatile uint8_t head, tail; unsigned lost; };
static int put(struct ring *r, uint8_t b) {
    uint8_t n = (uint8_t)((r->head + 1) & 15);
    if (n == r->tail) { r->lost++; return 0; }
    r->buf[r->head] = b;
    r->head = n;
    return 1;
}
static int get(struct ring *r) {
    if (r->head == r->tail) return -1;
    uint8_t b = r->buf[r->tail];
    r->tail = (uint8_t)((r->tail + 1) & 15);
    return b;
}
static int count(const struct ring *r) { return (r->head - r->tail) & 15; }
struct job { int id; char name[8]; }; struct q { struct job v[5]; int at, n; };
static int push(struct q *q, struct job j) { if (q->n == 5) return 0; q->v[(q->at + q->n++) % 5] = j; return 1; }
static struct job pop(struct q *q) { struct job j = q->v[q->at]; q->at = (q->at + 1) % 5; q->n--; return j; }

int main(void) {
    static struct ring r; int in = 0, out = 0, sum = 0, bad = 0; unsigned s = 3;
    for (int i = 0; i < 500; i++) {
        s = s * 1103515245u + 12345u;
        if (s >> 30 & 1) {
            if (put(&r, (uint8_t)in)) in++;
        } else { int b = get(&r); if (b >= 0) { bad += b != (out & 255); out++; sum += b; } }
        if (i % 100 == 0) printf("%d %d\n", i, count(&r));
    }
    printf("%d %d %d %d %u\n", in, out, sum, bad, r.lost);
    while (get(&r) >= 0) out++;
    printf("%d %d\n", in == out, get(&r));
    struct q q = {0};
    for (int i = 0; i < 12; i++) {
        struct job j = {i, ""};
        snprintf(j.name, sizeof j.name, "j%d", i * i);
        if (!push(&q, j)) {
            struct job d = pop(&q);
            printf("%s ", d.name);
            d = pop(&q);
            printf("%s ", d.name);
            push(&q, j);
        }
    }
    while (q.n) printf("%d ", pop(&q).id);
    printf("\n");
    return in & 0x7f;
}
