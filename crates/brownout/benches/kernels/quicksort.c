//! In-place quicksort with an insertion sort finish on 16-bit and 32-bit samples, repeated.
#include <stdint.h>
#include <stdio.h>

#ifndef N
#define N 8000
#endif
#ifndef ROUNDS
#define ROUNDS 48
#endif

static int32_t v[N];
static uint32_t seed = 1;

static uint32_t next_random(void) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    return seed;
}

static void insertion_sort(int32_t *a, int n) {
    for (int i = 1; i < n; i++) {
        int32_t x = a[i];
        int j = i;
        while (j > 0 && a[j - 1] > x) {
            a[j] = a[j - 1];
            j--;
        }
        a[j] = x;
    }
}

static void quick_sort(int32_t *a, int n) {
    while (n > 12) {
        int32_t lo = a[0], mid = a[n / 2], hi = a[n - 1];
        int32_t pivot = lo < mid ? (mid < hi ? mid : (lo < hi ? hi : lo)) : (lo < hi ? lo : (mid < hi ? hi : mid));
        int i = 0, j = n - 1;
        while (i <= j) {
            while (a[i] < pivot)
                i++;
            while (a[j] > pivot)
                j--;
            if (i <= j) {
                int32_t t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        }
        if (j + 1 < n - i) {
            quick_sort(a, j + 1);
            a += i;
            n -= i;
        } else {
            quick_sort(a + i, n - i);
            n = j + 1;
        }
    }
    insertion_sort(a, n);
}

int main(void) {
    uint32_t sum = 0;
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < N; i++)
            v[i] = (r & 1) ? (int32_t)(next_random() >> 1) : (int32_t)(next_random() & 0x3fffu) - 8192;
        quick_sort(v, N);
        for (int i = 1; i < N; i++) {
            if (v[i - 1] > v[i])
                printf("not sorted at %d\n", i);
            sum = sum * 33u + (uint32_t)v[i];
        }
    }
    printf("quicksort %08lx\n", (unsigned long)sum);
    return 0;
}
