/* nrf52833.h: a chip of the nRF52. */
#include <nrf52.h>
