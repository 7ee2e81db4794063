//! _Atomic objects and stdatomic operations in a single thread.
#include <stdio.h>
#include <stdatomic.h>
#include <stdint.h>

static atomic_int counter = 5;
static _Atomic uint64_t wide;
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Atomic(short) sh = -3;
static atomic_bool flag;
struct pair { int a, b; };
static _Atomic(struct pair) ap;
static _Atomic(int *) ptr;
static int arr[5] = {1, 2, 3, 4, 5};
static _Atomic double ad = 1.5;

int main(void) {
    int o = atomic_fetch_add(&counter, 3);
    printf("%d %d\n", o, atomic_load(&counter));
    counter++;
    counter -= 4;
    counter *= 3;
    printf("%d\n", counter);
    printf("%d ", atomic_fetch_or(&counter, 0x40));
    printf("%d ", atomic_fetch_and(&counter, ~1));
    printf("%d ", atomic_fetch_xor(&counter, 0xff));
    printf("%d\n", atomic_exchange(&counter, 100));
    int e = 99;
    int ok = atomic_compare_exchange_strong(&counter, &e, 7);
    printf("%d %d %d\n", ok, e, counter);
    ok = atomic_compare_exchange_strong(&counter, &e, 7);
    printf("%d %d %d\n", ok, e, counter);
    wide = UINT64_MAX - 1;
    wide += 3;
    printf("%llu\n", (unsigned long long)wide);
    printf("%d ", atomic_flag_test_and_set(&lock));
    printf("%d ", atomic_flag_test_and_set(&lock));
    atomic_flag_clear(&lock);
    printf("%d\n", atomic_flag_test_and_set(&lock));
    sh -= 32760;
    printf("%d\n", sh);
    flag = 12;
    printf("%d\n", flag);
    struct pair p = {3, 4};
    atomic_store(&ap, p);
    struct pair q = atomic_load(&ap);
    printf("%d %d\n", q.a, q.b);
    ptr = arr;
    atomic_fetch_add(&ptr, 2);
    printf("%d\n", *ptr);
    ad *= 2;
    ad += 0.25;
    printf("%g\n", ad);
    atomic_thread_fence(memory_order_seq_cst);
    atomic_signal_fence(memory_order_acquire);
    atomic_store_explicit(&counter, 1, memory_order_release);
    printf("%d\n", atomic_load_explicit(&counter, memory_order_acquire));
    int spins = 0;
    e = 0;
    while (!atomic_compare_exchange_weak(&counter, &e, 50)) spins++;
    printf("%d %d\n", spins >= 1, counter);
    return counter;
}
