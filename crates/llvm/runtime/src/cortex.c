/* What the system file of a vendor's package has, for programs for Cortex-M that come without it. */

/* Programs compute reload values of timers from it, and nothing here counts in its cycles. */
unsigned long SystemCoreClock = 4000000;

void SystemInit(void) {}

void SystemCoreClockUpdate(void) {}
