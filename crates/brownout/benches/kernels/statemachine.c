//! A function-pointer state machine parsing a framed byte stream, with a handler table per command.
#include <stdint.h>
#include <stdio.h>

#ifndef STREAM_LEN
#define STREAM_LEN 8192u
#endif
#ifndef ROUNDS
#define ROUNDS 450u
#endif

struct parser;
typedef void (*state_fn)(struct parser *, uint8_t);

struct parser {
    state_fn state;
    uint8_t cmd, len, pos, sum;
    uint8_t payload[32];
    uint32_t frames, errors, acc;
};

static uint8_t stream[STREAM_LEN];

static void on_led(struct parser *p) { p->acc ^= (uint32_t)p->payload[0] << 8; }
static void on_speed(struct parser *p) { p->acc += (uint32_t)p->payload[0] * 3u + p->len; }
static void on_text(struct parser *p) {
    for (uint8_t i = 0; i < p->len; i++)
        p->acc = p->acc * 33u + p->payload[i];
}
static void on_ping(struct parser *p) { p->acc = (p->acc << 1) | (p->acc >> 31); }
static void (*const commands[4])(struct parser *) = {on_led, on_speed, on_text, on_ping};

static void st_sync(struct parser *p, uint8_t b);
static void st_cmd(struct parser *p, uint8_t b);
static void st_len(struct parser *p, uint8_t b);
static void st_data(struct parser *p, uint8_t b);
static void st_check(struct parser *p, uint8_t b);

static void st_sync(struct parser *p, uint8_t b) {
    if (b == 0x7e)
        p->state = st_cmd;
}

static void st_cmd(struct parser *p, uint8_t b) {
    p->cmd = b & 3u;
    p->sum = b;
    p->state = st_len;
}

static void st_len(struct parser *p, uint8_t b) {
    p->sum += b;
    p->len = b & 31u;
    p->pos = 0;
    p->state = p->len ? st_data : st_check;
}

static void st_data(struct parser *p, uint8_t b) {
    p->payload[p->pos++] = b;
    p->sum += b;
    if (p->pos == p->len)
        p->state = st_check;
}

static void st_check(struct parser *p, uint8_t b) {
    if (b == p->sum) {
        p->frames++;
        commands[p->cmd](p);
    } else {
        p->errors++;
    }
    p->state = st_sync;
}

static void build_stream(void) {
    uint32_t seed = 7, n = 0;
    while (n + 40 < STREAM_LEN) {
        seed = seed * 1664525u + 1013904223u;
        uint8_t cmd = (uint8_t)(seed >> 24), len = (uint8_t)((seed >> 16) & 31u), sum = (uint8_t)(cmd + len);
        stream[n++] = 0x7e;
        stream[n++] = cmd;
        stream[n++] = len;
        for (uint8_t i = 0; i < len; i++) {
            uint8_t b = (uint8_t)((seed >> (i & 7)) + i);
            stream[n++] = b;
            sum += b;
        }
        stream[n++] = (seed & 0x700u) ? sum : (uint8_t)(sum + 1);
    }
}

int main(void) {
    static struct parser p;
    p.state = st_sync;
    build_stream();
    for (uint32_t r = 0; r < ROUNDS; r++)
        for (uint32_t i = 0; i < STREAM_LEN; i++)
            p.state(&p, stream[i]);
    printf("statemachine %lu %lu %08lx\n", (unsigned long)p.frames, (unsigned long)p.errors, (unsigned long)p.acc);
    return 0;
}
