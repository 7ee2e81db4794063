//! qsort and qsort_r keep equal elements in order, as the library of most systems does.
#define _GNU_SOURCE 1
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct element {
    int16_t key, place;
    char more[3];
};

static int by_key(const void *a, const void *b) {
    return ((const struct element *)a)->key - ((const struct element *)b)->key;
}

static int by_column(const void *a, const void *b, void *column) {
    int16_t at = *(int16_t *)column;
    return ((const int16_t *)a)[at] - ((const int16_t *)b)[at];
}

static uint32_t state = 7;
static uint32_t next(void) { return (state = state * 1664525u + 1013904223u) >> 16; }

int main(void) {
    static struct element all[150];
    static int16_t rows[60][2];
    for (int16_t count = 0; count <= 150; count += 15) {
        for (int16_t i = 0; i < count; i++) {
            all[i].key = (int16_t)(next() % 20);
            all[i].place = i;
        }
        qsort(all, (size_t)count, sizeof *all, by_key);
        int wrong = 0;
        for (int16_t i = 1; i < count; i++)
            wrong += all[i - 1].key > all[i].key ||
                     (all[i - 1].key == all[i].key && all[i - 1].place > all[i].place);
        printf("%d: %d\n", (int)count, wrong);
    }
    for (int i = 0; i < 60; i++)
        rows[i][0] = (int16_t)(next() % 9), rows[i][1] = (int16_t)(next() % 9);
    int16_t column = 1;
    qsort_r(rows, 60, sizeof *rows, by_column, &column);
    column = 0;
    qsort_r(rows, 60, sizeof *rows, by_column, &column);
    for (int i = 0; i < 60; i++)
        printf("%d%d%c", rows[i][0], rows[i][1], i % 20 == 19 ? '\n' : ' ');
    return 0;
}
