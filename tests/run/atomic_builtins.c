//! __atomic_* and __sync_* builtins on every integer width.
#include <stdio.h>
#include <stdint.h>

#define GO(T, F) do { T v = 10, r; r = __atomic_fetch_add(&v, 5, __ATOMIC_SEQ_CST); printf(#T " " F " " F, r, v); r = __atomic_sub_fetch(&v, 3, __ATOMIC_RELAXED); printf(" " F, r); r = __atomic_fetch_and(&v, 9, __ATOMIC_ACQUIRE); printf(" " F " " F, r, v); r = __atomic_or_fetch(&v, 0x30, __ATOMIC_RELEASE); printf(" " F, r); r = __atomic_fetch_xor(&v, 0x11, __ATOMIC_ACQ_REL); printf(" " F, v); r = __atomic_nand_fetch(&v, 0x0f, __ATOMIC_SEQ_CST); printf(" " F, r); r = __atomic_exchange_n(&v, 77, __ATOMIC_SEQ_CST); T e = 76; int ok = __atomic_compare_exchange_n(&v, &e, 1, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); printf(" %d " F, ok, e); ok = __atomic_compare_exchange_n(&v, &e, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED); printf(" %d " F, ok, v); \
    r = __sync_fetch_and_add(&v, 100); printf(" " F, r); r = __sync_sub_and_fetch(&v, 120); printf(" " F, r); ok = __sync_bool_compare_and_swap(&v, r, 5); printf(" %d", ok); r = __sync_val_compare_and_swap(&v, 5, 6); printf(" " F " " F, r, v); r = __sync_lock_test_and_set(&v, 9); printf(" " F, r); __sync_lock_release(&v); printf(" " F "\n", v); } while (0)

int main(void) {
    GO(int8_t, "%d");
    GO(uint8_t, "%u");
    GO(int16_t, "%d");
    GO(uint16_t, "%u");
    GO(int32_t, "%d");
    GO(uint32_t, "%u");
    GO(long, "%ld");
    GO(unsigned long long, "%llu");
    int a = 1, b = 2, c;
    __atomic_load(&a, &c, __ATOMIC_SEQ_CST);
    __atomic_store(&b, &c, __ATOMIC_SEQ_CST);
    printf("%d %d\n", b, c);
    c = 33;
    __atomic_exchange(&a, &c, &b, __ATOMIC_SEQ_CST);
    printf("%d %d\n", a, b);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    __sync_synchronize();
    char f = 0;
    printf("%d %d\n", __atomic_test_and_set(&f, __ATOMIC_SEQ_CST), __atomic_always_lock_free(4, 0));
    __atomic_clear(&f, __ATOMIC_SEQ_CST);
    int m = -5;
    printf("%d ", __atomic_fetch_max(&m, 3, __ATOMIC_SEQ_CST));
    printf("%d ", __atomic_fetch_min(&m, -9, __ATOMIC_SEQ_CST));
    printf("%d %d\n", m, f);
    unsigned um = 7;
    __sync_fetch_and_umax(&um, 0xfffffff0u);
    printf("%u\n", um);
    return a;
}
