/* nrf.h: the registers of the chip that the program is for: an nRF52, as far as is built in. */
#include <nrf52.h>
