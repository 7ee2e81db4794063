/* cmsis_compiler.h: the intrinsics of CMSIS for Cortex-M, for programs that come without CMSIS.
 * Interrupts and waiting are functions of the library. */
#ifndef _BROWNOUT_CMSIS_COMPILER_H
#define _BROWNOUT_CMSIS_COMPILER_H
#include <stdint.h>

#define __ASM __asm
#define __INLINE inline
#define __STATIC_INLINE static inline
#define __STATIC_FORCEINLINE static inline __attribute__((always_inline))
#define __NO_RETURN __attribute__((__noreturn__))
#define __USED __attribute__((used))
#define __WEAK __attribute__((weak))
#define __PACKED __attribute__((packed))
#define __PACKED_STRUCT struct __attribute__((packed))
#define __ALIGNED(n) __attribute__((aligned(n)))
#define __RESTRICT __restrict
#define __COMPILER_BARRIER() __asm volatile("" ::: "memory")
#define __I volatile const
#define __O volatile
#define __IO volatile
#define __IM volatile const
#define __OM volatile
#define __IOM volatile

#ifdef __cplusplus
extern "C" {
#endif
extern unsigned short __brownout_status;
void __brownout_enable(void);
void __brownout_disable(void);
void __brownout_wait(void);
#ifdef __cplusplus
}
#endif

static inline void __NOP(void) {}
static inline void __WFI(void) { __brownout_wait(); }
static inline void __WFE(void) { __brownout_wait(); }
static inline void __SEV(void) {}
static inline void __ISB(void) {}
static inline void __DSB(void) {}
static inline void __DMB(void) {}
static inline void __CLREX(void) {}
static inline void __enable_irq(void) { __brownout_enable(); }
static inline void __disable_irq(void) { __brownout_disable(); }
static inline void __enable_fault_irq(void) {}
static inline void __disable_fault_irq(void) {}
static inline uint32_t __get_PRIMASK(void) { return (__brownout_status & 8u) ? 0 : 1; }
static inline void __set_PRIMASK(uint32_t mask) {
    if (mask & 1u) __brownout_disable(); else __brownout_enable();
}
static inline uint32_t __get_BASEPRI(void) { return 0; }
static inline void __set_BASEPRI(uint32_t mask) { (void)mask; }
static inline uint32_t __get_FAULTMASK(void) { return 0; }
static inline void __set_FAULTMASK(uint32_t mask) { (void)mask; }
static inline uint32_t __get_CONTROL(void) { return 0; }
static inline void __set_CONTROL(uint32_t value) { (void)value; }
static inline uint32_t __get_IPSR(void) { return 0; }
static inline uint32_t __get_MSP(void) { return 0; }
static inline void __set_MSP(uint32_t value) { (void)value; }
static inline uint32_t __get_PSP(void) { return 0; }
static inline void __set_PSP(uint32_t value) { (void)value; }
#define __BKPT(value) __builtin_trap()

static inline uint32_t __REV(uint32_t v) { return __builtin_bswap32(v); }
static inline uint32_t __REV16(uint32_t v) { return (v & 0xff00ff00u) >> 8 | (v & 0x00ff00ffu) << 8; }
static inline int16_t __REVSH(int16_t v) { return (int16_t)__builtin_bswap16((uint16_t)v); }
static inline uint32_t __ROR(uint32_t v, uint32_t n) { return __builtin_rotateright32(v, n % 32); }
static inline uint32_t __RBIT(uint32_t v) { return __builtin_bitreverse32(v); }
static inline uint8_t __CLZ(uint32_t v) { return v ? (uint8_t)(__builtin_clzll(v) - 32) : 32; }
static inline int32_t __SSAT(int32_t v, uint32_t bits) {
    int32_t high = (int32_t)((1u << (bits - 1)) - 1);
    return v > high ? high : v < -high - 1 ? -high - 1 : v;
}
static inline uint32_t __USAT(int32_t v, uint32_t bits) {
    int32_t high = (int32_t)((1ul << bits) - 1);
    return v < 0 ? 0 : v > high ? (uint32_t)high : (uint32_t)v;
}
static inline uint32_t __get_FPSCR(void) { return 0; }
static inline void __set_FPSCR(uint32_t value) { (void)value; }

/* Saturating sums, and sums and products of parts of a word. */
static inline int32_t __brownout_saturated(int64_t v) {
    return v > INT32_MAX ? INT32_MAX : v < INT32_MIN ? INT32_MIN : (int32_t)v;
}
static inline int32_t __QADD(int32_t a, int32_t b) { return __brownout_saturated((int64_t)a + b); }
static inline int32_t __QSUB(int32_t a, int32_t b) { return __brownout_saturated((int64_t)a - b); }
static inline uint32_t __UADD8(uint32_t a, uint32_t b) {
    return ((a & 0x7f7f7f7fu) + (b & 0x7f7f7f7fu)) ^ ((a ^ b) & 0x80808080u);
}
static inline uint32_t __UADD16(uint32_t a, uint32_t b) {
    return ((a & 0x7fff7fffu) + (b & 0x7fff7fffu)) ^ ((a ^ b) & 0x80008000u);
}
/* Signs matter to flags only, which nothing here reads. */
static inline uint32_t __SADD8(uint32_t a, uint32_t b) { return __UADD8(a, b); }
static inline uint32_t __SADD16(uint32_t a, uint32_t b) { return __UADD16(a, b); }
static inline uint32_t __SMLAD(uint32_t a, uint32_t b, uint32_t sum) {
    uint32_t low = (uint32_t)((int32_t)(int16_t)a * (int16_t)b);
    return low + (uint32_t)((int32_t)(int16_t)(a >> 16) * (int16_t)(b >> 16)) + sum;
}
static inline uint32_t __SMUAD(uint32_t a, uint32_t b) { return __SMLAD(a, b, 0); }
#define __PKHBT(a, b, n) (((uint32_t)(a) & 0xffffu) | ((uint32_t)(b) << (n) & 0xffff0000u))
#define __PKHTB(a, b, n) (((uint32_t)(a) & 0xffff0000u) | ((uint32_t)((int32_t)(b) >> (n)) & 0xffffu))

/* One core: exclusive accesses always succeed. */
static inline uint8_t __LDREXB(volatile uint8_t *p) { return *p; }
static inline uint16_t __LDREXH(volatile uint16_t *p) { return *p; }
static inline uint32_t __LDREXW(volatile uint32_t *p) { return *p; }
static inline uint32_t __STREXB(uint8_t v, volatile uint8_t *p) { *p = v; return 0; }
static inline uint32_t __STREXH(uint16_t v, volatile uint16_t *p) { *p = v; return 0; }
static inline uint32_t __STREXW(uint32_t v, volatile uint32_t *p) { *p = v; return 0; }
#endif
