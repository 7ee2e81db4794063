//! rand stays in range, srand makes it repeatable, and buckets all fill (no values compared).
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    int bad = 0, seen[16] = {0}; srand(1);
    for (int i = 0; i < 2000; i++) { int r = rand(); if (r < 0 || r > RAND_MAX) bad++; seen[(r >> 4) % 16]++; }
    int empty = 0; for (int i = 0; i < 16; i++) empty += !seen[i]; printf("%d %d %d\n", bad, empty, RAND_MAX >= 32767);
    int a[20], same = 1, differ = 0;
    srand(1234);
    for (int i = 0; i < 20; i++) a[i] = rand();
    srand(1234);
    for (int i = 0; i < 20; i++) same &= rand() == a[i];
    srand(4321);
    for (int i = 0; i < 20; i++) differ |= rand() != a[i];
    printf("%d %d\n", same, differ);
    int deck[52];
    for (int i = 0; i < 52; i++) deck[i] = i;
    for (int i = 51; i > 0; i--) { int j = rand() % (i + 1), t = deck[i]; deck[i] = deck[j]; deck[j] = t; }
    int sum = 0;
    for (int i = 0; i < 52; i++) sum += deck[i];
    printf("%d\n", sum);
    return 0;
}
