/* cmsis_core.h: the registers and functions that CMSIS gives every Cortex-M, for programs that come
 * without CMSIS.  A device's own header, which names its interrupts and peripherals, includes it by
 * the name of its processor (core_cm4.h).  Addresses are those of ARM's architecture manuals. */
#ifndef _BROWNOUT_CMSIS_CORE_H
#define _BROWNOUT_CMSIS_CORE_H
#ifndef __arm__
#error "this program is for a Cortex-M: give `--target thumbv7m`, or a chip (`brownout chips`)"
#endif
#include <cmsis_compiler.h>
#include <stdint.h>

#ifndef __NVIC_PRIO_BITS
#define __NVIC_PRIO_BITS 4
#endif

typedef struct {
    __IOM uint32_t ISER[8];
    uint32_t gap0[24];
    __IOM uint32_t ICER[8];
    uint32_t gap1[24];
    __IOM uint32_t ISPR[8];
    uint32_t gap2[24];
    __IOM uint32_t ICPR[8];
    uint32_t gap3[24];
    __IOM uint32_t IABR[8];
    uint32_t gap4[56];
    __IOM uint8_t IP[240];
    uint32_t gap5[644];
    __OM uint32_t STIR;
} NVIC_Type;

typedef struct {
    __IM uint32_t CPUID;
    __IOM uint32_t ICSR, VTOR, AIRCR, SCR, CCR;
    __IOM uint8_t SHP[12];
    __IOM uint32_t SHCSR, CFSR, HFSR, DFSR, MMFAR, BFAR, AFSR;
    __IM uint32_t PFR[2], DFR, ADR, MMFR[4], ISAR[5];
    uint32_t gap0[5];
    __IOM uint32_t CPACR;
} SCB_Type;

typedef struct { __IOM uint32_t CTRL, LOAD, VAL; __IM uint32_t CALIB; } SysTick_Type;
typedef struct { __IOM uint32_t DHCSR, DCRSR, DCRDR, DEMCR; } CoreDebug_Type;
typedef struct { __IOM uint32_t CTRL, CYCCNT, CPICNT, EXCCNT, SLEEPCNT, LSUCNT, FOLDCNT; } DWT_Type;
typedef struct { __IM uint32_t TYPE; __IOM uint32_t CTRL, RNR, RBAR, RASR; } MPU_Type;

#define SCS_BASE 0xE000E000UL
#define DWT_BASE 0xE0001000UL
#define CoreDebug_BASE 0xE000EDF0UL
#define SysTick_BASE (SCS_BASE + 0x0010UL)
#define NVIC_BASE (SCS_BASE + 0x0100UL)
#define SCB_BASE (SCS_BASE + 0x0D00UL)
#define MPU_BASE (SCS_BASE + 0x0D90UL)
#define SysTick ((SysTick_Type *)SysTick_BASE)
#define NVIC ((NVIC_Type *)NVIC_BASE)
#define SCB ((SCB_Type *)SCB_BASE)
#define MPU ((MPU_Type *)MPU_BASE)
#define DWT ((DWT_Type *)DWT_BASE)
#define CoreDebug ((CoreDebug_Type *)CoreDebug_BASE)

#define SCB_SCR_SLEEPONEXIT_Pos 1U
#define SCB_SCR_SLEEPONEXIT_Msk (1UL << 1)
#define SCB_SCR_SLEEPDEEP_Pos 2U
#define SCB_SCR_SLEEPDEEP_Msk (1UL << 2)
#define SCB_SCR_SEVONPEND_Pos 4U
#define SCB_SCR_SEVONPEND_Msk (1UL << 4)
#define SCB_ICSR_VECTACTIVE_Pos 0U
#define SCB_ICSR_VECTACTIVE_Msk 0x1FFUL
#define SCB_ICSR_PENDSTCLR_Pos 25U
#define SCB_ICSR_PENDSTCLR_Msk (1UL << 25)
#define SCB_ICSR_PENDSTSET_Pos 26U
#define SCB_ICSR_PENDSTSET_Msk (1UL << 26)
#define SCB_ICSR_PENDSVCLR_Pos 27U
#define SCB_ICSR_PENDSVCLR_Msk (1UL << 27)
#define SCB_ICSR_PENDSVSET_Pos 28U
#define SCB_ICSR_PENDSVSET_Msk (1UL << 28)
#define SCB_AIRCR_SYSRESETREQ_Pos 2U
#define SCB_AIRCR_SYSRESETREQ_Msk (1UL << 2)
#define SCB_AIRCR_PRIGROUP_Pos 8U
#define SCB_AIRCR_PRIGROUP_Msk (7UL << 8)
#define SCB_AIRCR_VECTKEY_Pos 16U
#define SCB_AIRCR_VECTKEY_Msk (0xFFFFUL << 16)
#define SCB_SHCSR_MEMFAULTENA_Msk (1UL << 16)
#define SCB_SHCSR_BUSFAULTENA_Msk (1UL << 17)
#define SCB_SHCSR_USGFAULTENA_Msk (1UL << 18)
#define SysTick_CTRL_ENABLE_Pos 0U
#define SysTick_CTRL_ENABLE_Msk 1UL
#define SysTick_CTRL_TICKINT_Pos 1U
#define SysTick_CTRL_TICKINT_Msk (1UL << 1)
#define SysTick_CTRL_CLKSOURCE_Pos 2U
#define SysTick_CTRL_CLKSOURCE_Msk (1UL << 2)
#define SysTick_CTRL_COUNTFLAG_Pos 16U
#define SysTick_CTRL_COUNTFLAG_Msk (1UL << 16)
#define SysTick_LOAD_RELOAD_Pos 0U
#define SysTick_LOAD_RELOAD_Msk 0xFFFFFFUL
#define CoreDebug_DHCSR_C_DEBUGEN_Msk 1UL
#define CoreDebug_DEMCR_TRCENA_Pos 24U
#define CoreDebug_DEMCR_TRCENA_Msk (1UL << 24)
#define DWT_CTRL_CYCCNTENA_Pos 0U
#define DWT_CTRL_CYCCNTENA_Msk 1UL

/* A device's header has these as members of an enumeration of its own, IRQn_Type; numbers below zero
 * are the processor's own exceptions. */
static inline void NVIC_EnableIRQ(int32_t irq) {
    if (irq >= 0) NVIC->ISER[irq >> 5] = 1UL << (irq & 31);
}
static inline void NVIC_DisableIRQ(int32_t irq) {
    if (irq >= 0) NVIC->ICER[irq >> 5] = 1UL << (irq & 31);
}
static inline uint32_t NVIC_GetEnableIRQ(int32_t irq) {
    return irq >= 0 ? NVIC->ISER[irq >> 5] >> (irq & 31) & 1UL : 0;
}
static inline void NVIC_SetPendingIRQ(int32_t irq) {
    if (irq >= 0) NVIC->ISPR[irq >> 5] = 1UL << (irq & 31);
}
static inline void NVIC_ClearPendingIRQ(int32_t irq) {
    if (irq >= 0) NVIC->ICPR[irq >> 5] = 1UL << (irq & 31);
}
static inline uint32_t NVIC_GetPendingIRQ(int32_t irq) {
    return irq >= 0 ? NVIC->ISPR[irq >> 5] >> (irq & 31) & 1UL : 0;
}
static inline uint32_t NVIC_GetActive(int32_t irq) {
    return irq >= 0 ? NVIC->IABR[irq >> 5] >> (irq & 31) & 1UL : 0;
}
static inline void NVIC_SetPriority(int32_t irq, uint32_t priority) {
    uint8_t bits = (uint8_t)(priority << (8 - __NVIC_PRIO_BITS));
    if (irq >= 0) NVIC->IP[irq] = bits; else SCB->SHP[(irq & 15) - 4] = bits;
}
static inline uint32_t NVIC_GetPriority(int32_t irq) {
    return (irq >= 0 ? NVIC->IP[irq] : SCB->SHP[(irq & 15) - 4]) >> (8 - __NVIC_PRIO_BITS);
}
static inline void NVIC_SetPriorityGrouping(uint32_t group) {
    SCB->AIRCR = 0x05FAUL << 16 | (group & 7UL) << 8;
}
/* Priorities that a program sets are not emulated, and so neither is how they are grouped. */
static inline uint32_t NVIC_GetPriorityGrouping(void) { return 0; }
static inline uint32_t NVIC_EncodePriority(uint32_t group, uint32_t preempt, uint32_t sub) {
    uint32_t grouped = 7 - (group & 7UL);
    uint32_t high = grouped > __NVIC_PRIO_BITS ? __NVIC_PRIO_BITS : grouped;
    uint32_t low = __NVIC_PRIO_BITS - high;
    return (preempt & ((1UL << high) - 1)) << low | (sub & ((1UL << low) - 1));
}
static inline void NVIC_SystemReset(void) {
    SCB->AIRCR = 0x05FAUL << 16 | SCB_AIRCR_SYSRESETREQ_Msk;
    for (;;) {}
}
static inline uint32_t SysTick_Config(uint32_t ticks) {
    if (ticks - 1 > SysTick_LOAD_RELOAD_Msk) return 1;
    SysTick->LOAD = ticks - 1;
    NVIC_SetPriority(-1, (1UL << __NVIC_PRIO_BITS) - 1);
    SysTick->VAL = 0;
    SysTick->CTRL = SysTick_CTRL_CLKSOURCE_Msk | SysTick_CTRL_TICKINT_Msk | SysTick_CTRL_ENABLE_Msk;
    return 0;
}
static inline uint32_t ITM_SendChar(uint32_t c) { return c; }
static inline void SCB_EnableICache(void) {}
static inline void SCB_DisableICache(void) {}
static inline void SCB_EnableDCache(void) {}
static inline void SCB_DisableDCache(void) {}
static inline void SCB_CleanDCache(void) {}
static inline void SCB_InvalidateICache(void) {}
#endif
