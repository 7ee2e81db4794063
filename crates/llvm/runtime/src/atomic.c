/* Atomic operations that the compiler calls for by name where the target has
 * no instruction for them. There is one core and nothing interrupts it, so
 * plain accesses are atomic. The names belong to the compiler, which is why
 * they are given as assembler names. */

#include <stddef.h>
#include <stdint.h>

#include "machine.h"

#define NAMED(name) __asm__(#name)

void any_load(size_t size, void *from, void *to, int order) NAMED(__atomic_load);
void any_load(size_t size, void *from, void *to, int order) {
    (void)order;
    __brownout_copy(to, from, size);
}

void any_store(size_t size, void *to, void *from, int order) NAMED(__atomic_store);
void any_store(size_t size, void *to, void *from, int order) {
    (void)order;
    __brownout_copy(to, from, size);
}

void any_exchange(size_t size, void *at, void *new, void *old, int order) NAMED(__atomic_exchange);
void any_exchange(size_t size, void *at, void *new, void *old, int order) {
    (void)order;
    __brownout_copy(old, at, size);
    __brownout_copy(at, new, size);
}

_Bool any_compare_exchange(size_t size, void *at, void *expected, void *new, int success, int failure)
    NAMED(__atomic_compare_exchange);
_Bool any_compare_exchange(size_t size, void *at, void *expected, void *new, int success, int failure) {
    (void)success, (void)failure;
    const unsigned char *a = at, *b = expected;
    for (size_t i = 0; i < size; i++) {
        if (a[i] != b[i]) {
            __brownout_copy(expected, at, size);
            return 0;
        }
    }
    __brownout_copy(at, new, size);
    return 1;
}

_Bool any_is_lock_free(size_t size, void *at) NAMED(__atomic_is_lock_free);
_Bool any_is_lock_free(size_t size, void *at) {
    (void)at;
    return size <= sizeof(void *);
}

/* Which value an update leaves behind, by its operation. */
#define UPDATE(n, type, name, result)                                                        \
    type fetch_##name##_##n(type *at, type value, int order) NAMED(__atomic_fetch_##name##_##n); \
    type fetch_##name##_##n(type *at, type value, int order) {                               \
        (void)order;                                                                         \
        type old = *at;                                                                      \
        *at = (type)(result);                                                                \
        return old;                                                                          \
    }                                                                                        \
    type sync_##name##_##n(type *at, type value) NAMED(__sync_fetch_and_##name##_##n);       \
    type sync_##name##_##n(type *at, type value) {                                           \
        type old = *at;                                                                      \
        *at = (type)(result);                                                                \
        return old;                                                                          \
    }

#define SIZE(n, type)                                                                        \
    type load_##n(type *at, int order) NAMED(__atomic_load_##n);                             \
    type load_##n(type *at, int order) { (void)order; return *at; }                          \
    void store_##n(type *at, type value, int order) NAMED(__atomic_store_##n);               \
    void store_##n(type *at, type value, int order) { (void)order; *at = value; }            \
    type exchange_##n(type *at, type value, int order) NAMED(__atomic_exchange_##n);         \
    type exchange_##n(type *at, type value, int order) {                                     \
        (void)order;                                                                         \
        type old = *at;                                                                      \
        *at = value;                                                                         \
        return old;                                                                          \
    }                                                                                        \
    _Bool compare_##n(type *at, type *expected, type value, int success, int failure)        \
        NAMED(__atomic_compare_exchange_##n);                                                \
    _Bool compare_##n(type *at, type *expected, type value, int success, int failure) {      \
        (void)success, (void)failure;                                                        \
        if (*at != *expected) {                                                              \
            *expected = *at;                                                                 \
            return 0;                                                                        \
        }                                                                                    \
        *at = value;                                                                         \
        return 1;                                                                            \
    }                                                                                        \
    UPDATE(n, type, add, old + value)                                                        \
    UPDATE(n, type, sub, old - value)                                                        \
    UPDATE(n, type, and, old & value)                                                        \
    UPDATE(n, type, or, old | value)                                                         \
    UPDATE(n, type, xor, old ^ value)                                                        \
    UPDATE(n, type, nand, ~(old & value))

SIZE(1, uint8_t)
SIZE(2, uint16_t)
SIZE(4, uint32_t)
SIZE(8, uint64_t)
