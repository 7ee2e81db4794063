/* small.c: one program whose output must be the same on every target.
 *
 * It uses only types whose width is fixed and needs little stack, so it runs
 * with 16-bit ints as well.  run.sh compares this computer's own C library with
 * ours on 32-bit x86; the emulator can run it for the other targets.
 * A line per case; the last is a hash of everything, for a quick look. */
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifndef ROUNDS
#define ROUNDS 400
#endif

static uint32_t state = 12345, hash = 2166136261u;
static char line[400];

static uint32_t next(void) {
    state = state * 1664525u + 1013904223u;
    return state ^ state >> 15;
}

static double next_double(void) {
    union { uint64_t bits; double value; } u;
    uint64_t high = next();
    u.bits = high << 32 | next();
    uint32_t kind = next() % 4;
    if (kind == 0)
        u.bits = (u.bits & 0x800fffffffffffffu) | (uint64_t)(1000 + next() % 60) << 52;
    if (kind == 1)
        return (double)(int32_t)(next() % 200000) / 1000.0;
    return u.value == u.value ? u.value : 0.0;
}

static void show(int n) {
    for (int i = 0; i <= n; i++)
        hash = (hash ^ (unsigned char)line[i]) * 16777619u;
    puts(line);
}

static int compare(const void *a, const void *b) {
    int16_t x = *(const int16_t *)a, y = *(const int16_t *)b;
    return x < y ? -1 : x > y;
}

int main(void) {
    for (int i = 0; i < ROUNDS; i++) {
        uint32_t u = next() >> next() % 32;
        uint64_t w = ((uint64_t)next() << 32 | next()) >> next() % 64;
        double d = next_double();
        show(snprintf(line, sizeof line, "%" PRId32 "|%08" PRIx32 "|%-12" PRIu32 "|%+" PRId64 "|%#" PRIo64 "|%20.15" PRIX64,
                      (int32_t)u, u, u, (int64_t)w, w, w));
        show(snprintf(line, sizeof line, "%.17g|%10.3e|%g|%a|%.0f", d, d, d, d, d < 1e30 && d > -1e30 ? d : 0.5));
        char text[28];
        snprintf(text, sizeof text, "%.16e", d);
        show(snprintf(line, sizeof line, "%d %.16e", strtod(text, NULL) == d, (double)strtof(text, NULL)));
        char *end;
        snprintf(line, sizeof line, " -%" PRIu64 "x", w);
        int64_t back = strtoll(line, &end, 10);
        show(snprintf(line, sizeof line, "%" PRId64 " %c", back, *end));
        int32_t a = 0;
        uint32_t b = 0;
        char word[9] = "";
        snprintf(line, sizeof line, "%" PRId32 ",%" PRIx32 " word%u", (int32_t)u, u, (unsigned)(u % 100));
        int got = sscanf(line, "%" SCNd32 ",%" SCNx32 " %8s", &a, &b, word);
        show(snprintf(line, sizeof line, "%d %" PRId32 " %" PRIx32 " %s", got, a, b, word));
    }
    static int16_t numbers[100];
    for (int round = 0; round < 5; round++) {
        int n = (int)(next() % 100);
        for (int i = 0; i < n; i++)
            numbers[i] = (int16_t)next();
        qsort(numbers, (size_t)n, sizeof *numbers, compare);
        int at = 0;
        line[0] = 0;
        for (int i = 0; i < n && i < 40; i++)
            at += snprintf(line + at, sizeof line - (size_t)at, "%d ", numbers[i]);
        show(at);
    }
    static char *blocks[16];
    for (int i = 0; i < 500; i++) { /* a heap of 2000 bytes holds all of this */
        unsigned k = next() % 16, size = 1 + next() % 60;
        blocks[k] = realloc(blocks[k], size);
        memset(blocks[k], (int)k, size);
        if (next() % 3 == 0) {
            free(blocks[k]);
            blocks[k] = NULL;
        }
    }
    for (int k = 0; k < 16; k++) {
        snprintf(line, sizeof line, "block %d %s", k, !blocks[k] ? "none" : blocks[k][0] == k ? "good" : "bad");
        show((int)strlen(line));
    }
    printf("%08" PRIx32 "\n", hash);
    return 0;
}
