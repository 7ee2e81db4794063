//! A program for a Cortex-M that comes without CMSIS: a device's own header would say what is in the first lines.
//@ policy: static
//@ config: chip = "cortex-m4"
#include <brownout.h>
typedef enum { SysTick_IRQn = -1, TIM2_IRQn = 28 } IRQn_Type;
#define __NVIC_PRIO_BITS 4
#include <core_cm4.h>

__attribute__((section(".mram"))) static uint32_t counted;
static volatile uint32_t ticks;

void SysTick_Handler(void) { ticks++; }
void TIM2_IRQHandler(void) { NVIC_ClearPendingIRQ(TIM2_IRQn); }

int main(void) {
    SCB->SCR |= SCB_SCR_SLEEPDEEP_Msk;
    SysTick_Config(1000);
    NVIC_SetPriority(TIM2_IRQn, NVIC_EncodePriority(NVIC_GetPriorityGrouping(), 1, 0));
    NVIC_EnableIRQ(TIM2_IRQn);
    brownout_checkpoint();
    counted = counted + 1; //~ ERROR [war] `counted` is read, then overwritten
    __WFI();
    brownout_checkpoint();
    return 0;
}
