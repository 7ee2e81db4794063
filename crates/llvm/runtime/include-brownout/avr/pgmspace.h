/* avr/pgmspace.h: constants in flash, which are read like others here. */
#ifndef _BROWNOUT_AVR_PGMSPACE_H
#define _BROWNOUT_AVR_PGMSPACE_H
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#ifndef PROGMEM
#define PROGMEM
#endif
#define PGM_P const char *
#define PGM_VOID_P const void *
#define PSTR(text) (text)
#define pgm_read_byte(at) (*(const uint8_t *)(at))
#define pgm_read_word(at) (*(const uint16_t *)(at))
#define pgm_read_dword(at) (*(const uint32_t *)(at))
#define pgm_read_float(at) (*(const float *)(at))
#define pgm_read_ptr(at) (*(void *const *)(at))
#define pgm_read_byte_near pgm_read_byte
#define pgm_read_word_near pgm_read_word
#define pgm_read_dword_near pgm_read_dword
#define memcpy_P memcpy
#define memcmp_P memcmp
#define strlen_P strlen
#define strcpy_P strcpy
#define strncpy_P strncpy
#define strcat_P strcat
#define strcmp_P strcmp
#define strncmp_P strncmp
#define strstr_P strstr
#define printf_P printf
#define sprintf_P sprintf
#define snprintf_P snprintf
#define puts_P puts
#endif
