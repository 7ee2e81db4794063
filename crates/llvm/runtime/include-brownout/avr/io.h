/* avr/io.h: the names of registers and bits that programs for AVR use, for programs that come without
 * avr-libc.  Registers are declared and never defined: to the emulator an undefined variable is a device
 * register.  Addresses, and so the exact device, do not matter; the names are those of the ATmega and
 * ATtiny families, the older ones among them.  Programs are compiled for the MSP430, whose `int` and
 * pointers have the same sizes. */
#ifndef _BROWNOUT_AVR_IO_H
#define _BROWNOUT_AVR_IO_H
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#ifndef F_CPU
#define F_CPU 16000000UL
#endif
#define _BV(bit) (1 << (bit))
/* A register is a variable, which needs no other way to get at it; a number is an address. */
#define _SFR_BYTE(sfr) (sfr)
#define _SFR_WORD(sfr) (sfr)
#define _SFR_ADDR(sfr) ((uint16_t)(uintptr_t)&(sfr))
#define _SFR_MEM_ADDR(sfr) _SFR_ADDR(sfr)
#define _SFR_IO_ADDR(sfr) (_SFR_ADDR(sfr) - __SFR_OFFSET)
#define _SFR_MEM8(address) _MMIO_BYTE(address)
#define _SFR_MEM16(address) _MMIO_WORD(address)
#define _SFR_MEM32(address) _MMIO_DWORD(address)
#define _SFR_IO8(address) _MMIO_BYTE((address) + __SFR_OFFSET)
#define _SFR_IO16(address) _MMIO_WORD((address) + __SFR_OFFSET)
#define _MMIO_BYTE(address) (*(volatile uint8_t *)(address))
#define _MMIO_WORD(address) (*(volatile uint16_t *)(address))
#define _MMIO_DWORD(address) (*(volatile uint32_t *)(address))
#define __SFR_OFFSET 0x20
#define bit_is_set(register, bit) ((register) & _BV(bit))
#define bit_is_clear(register, bit) (!((register) & _BV(bit)))
#define loop_until_bit_is_set(register, bit) do {} while (bit_is_clear(register, bit))
#define loop_until_bit_is_clear(register, bit) do {} while (bit_is_set(register, bit))
#define E2END 0x3FF
#define RAMSTART 0x100
#define RAMEND 0x8FF
#define FLASHEND 0x7FFF
#define SPM_PAGESIZE 128

extern volatile uint8_t PORTA, DDRA, PINA, PORTB, DDRB, PINB, PORTC, DDRC, PINC, PORTD, DDRD,
    PIND, PORTE, DDRE, PINE, PORTF, DDRF, PINF, PORTG, DDRG, PING, SREG, SPL, SPH, GPIOR0, GPIOR1,
    GPIOR2, SMCR, MCUCR, MCUSR, MCUCSR, PRR, PRR0, PRR1, CLKPR, OSCCAL, WDTCSR, WDTCR, SPMCSR,
    GTCCR, SFIOR, EICRA, EICRB, EIMSK, EIFR, PCICR, PCIFR, PCMSK, PCMSK0, PCMSK1, PCMSK2, PCMSK3,
    GICR, GIMSK, GIFR, TCCR0A, TCCR0B, TCNT0, OCR0A, OCR0B, TIMSK0, TIFR0, TCCR2A, TCCR2B, TCNT2,
    OCR2A, OCR2B, TIMSK2, TIFR2, TCCR1A, TCCR1B, TCCR1C, TIMSK1, TIFR1, TCNT1L, TCNT1H, OCR1AL,
    OCR1AH, ICR1L, ICR1H, TCCR3A, TCCR3B, TCCR3C, TIMSK3, TIFR3, TCNT3L, TCNT3H, OCR3AL, OCR3AH,
    ICR3L, ICR3H, TCCR4A, TCCR4B, TCCR4C, TIMSK4, TIFR4, TCNT4L, TCNT4H, OCR4AL, OCR4AH, ICR4L,
    ICR4H, TCCR5A, TCCR5B, TCCR5C, TIMSK5, TIFR5, TCNT5L, TCNT5H, OCR5AL, OCR5AH, ICR5L, ICR5H,
    TIMSK, TIFR, TCCR0, OCR0, TCCR1, TCCR2, OCR2, ASSR, ADMUX, ADCSRA, ADCSRB, ADCSR, ADCL,
    ADCH, DIDR0, DIDR1, ACSR, UCSR0A, UCSR0B, UCSR0C, UDR0, UBRR0L, UBRR0H, UCSR1A, UCSR1B,
    UCSR1C, UDR1, UBRR1L, UBRR1H, UCSR2A, UCSR2B, UCSR2C, UDR2, UBRR2L, UBRR2H, UCSR3A, UCSR3B,
    UCSR3C, UDR3, UBRR3L, UBRR3H, UCSRA, UCSRB, UCSRC, UDR, UBRRL, UBRRH, SPCR, SPSR, SPDR, SPCR0,
    SPSR0, SPDR0, TWBR, TWSR, TWAR, TWDR, TWCR, TWAMR, USICR, USISR, USIDR, USIBR, EECR, EEDR,
    EEARL, EEARH;
extern volatile uint16_t TCNT1, OCR1A, OCR1B, OCR1C, ICR1, TCNT3, OCR3A, OCR3B, OCR3C, ICR3,
    TCNT4, OCR4A, OCR4B, OCR4C, ICR4, TCNT5, OCR5A, OCR5B, OCR5C, ICR5, ADC, ADCW, SP, EEAR,
    UBRR0, UBRR1, UBRR2, UBRR3;
#ifdef __cplusplus
}
#endif

/* Programs for several devices ask whether a register is there; these are an ATmega328P's. */
#define PORTB PORTB
#define DDRB DDRB
#define PINB PINB
#define PORTC PORTC
#define DDRC DDRC
#define PINC PINC
#define PORTD PORTD
#define DDRD DDRD
#define PIND PIND
#define SREG SREG
#define SMCR SMCR
#define MCUCR MCUCR
#define MCUSR MCUSR
#define PRR PRR
#define CLKPR CLKPR
#define WDTCSR WDTCSR
#define EICRA EICRA
#define EIMSK EIMSK
#define EIFR EIFR
#define PCICR PCICR
#define PCMSK0 PCMSK0
#define PCMSK1 PCMSK1
#define PCMSK2 PCMSK2
#define TCCR0A TCCR0A
#define TCCR0B TCCR0B
#define TCNT0 TCNT0
#define OCR0A OCR0A
#define OCR0B OCR0B
#define TIMSK0 TIMSK0
#define TIFR0 TIFR0
#define TCCR1A TCCR1A
#define TCCR1B TCCR1B
#define TCNT1 TCNT1
#define OCR1A OCR1A
#define OCR1B OCR1B
#define ICR1 ICR1
#define TIMSK1 TIMSK1
#define TIFR1 TIFR1
#define TCCR2A TCCR2A
#define TCCR2B TCCR2B
#define TCNT2 TCNT2
#define OCR2A OCR2A
#define OCR2B OCR2B
#define TIMSK2 TIMSK2
#define TIFR2 TIFR2
#define ASSR ASSR
#define ADMUX ADMUX
#define ADCSRA ADCSRA
#define ADCSRB ADCSRB
#define ADC ADC
#define ADCL ADCL
#define ADCH ADCH
#define ACSR ACSR
#define UCSR0A UCSR0A
#define UCSR0B UCSR0B
#define UCSR0C UCSR0C
#define UDR0 UDR0
#define UBRR0 UBRR0
#define UBRR0L UBRR0L
#define UBRR0H UBRR0H
#define SPCR SPCR
#define SPSR SPSR
#define SPDR SPDR
#define TWBR TWBR
#define TWSR TWSR
#define TWAR TWAR
#define TWDR TWDR
#define TWCR TWCR
#define EECR EECR
#define EEDR EEDR
#define EEAR EEAR

/* Pins of ports */
enum { PA0, PA1, PA2, PA3, PA4, PA5, PA6, PA7 };
enum { DDA0, DDA1, DDA2, DDA3, DDA4, DDA5, DDA6, DDA7 };
enum { PINA0, PINA1, PINA2, PINA3, PINA4, PINA5, PINA6, PINA7 };
enum { PORTA0, PORTA1, PORTA2, PORTA3, PORTA4, PORTA5, PORTA6, PORTA7 };
enum { PB0, PB1, PB2, PB3, PB4, PB5, PB6, PB7 };
enum { DDB0, DDB1, DDB2, DDB3, DDB4, DDB5, DDB6, DDB7 };
enum { PINB0, PINB1, PINB2, PINB3, PINB4, PINB5, PINB6, PINB7 };
enum { PORTB0, PORTB1, PORTB2, PORTB3, PORTB4, PORTB5, PORTB6, PORTB7 };
enum { PC0, PC1, PC2, PC3, PC4, PC5, PC6, PC7 };
enum { DDC0, DDC1, DDC2, DDC3, DDC4, DDC5, DDC6, DDC7 };
enum { PINC0, PINC1, PINC2, PINC3, PINC4, PINC5, PINC6, PINC7 };
enum { PORTC0, PORTC1, PORTC2, PORTC3, PORTC4, PORTC5, PORTC6, PORTC7 };
enum { PD0, PD1, PD2, PD3, PD4, PD5, PD6, PD7 };
enum { DDD0, DDD1, DDD2, DDD3, DDD4, DDD5, DDD6, DDD7 };
enum { PIND0, PIND1, PIND2, PIND3, PIND4, PIND5, PIND6, PIND7 };
enum { PORTD0, PORTD1, PORTD2, PORTD3, PORTD4, PORTD5, PORTD6, PORTD7 };
enum { PE0, PE1, PE2, PE3, PE4, PE5, PE6, PE7 };
enum { DDE0, DDE1, DDE2, DDE3, DDE4, DDE5, DDE6, DDE7 };
enum { PINE0, PINE1, PINE2, PINE3, PINE4, PINE5, PINE6, PINE7 };
enum { PORTE0, PORTE1, PORTE2, PORTE3, PORTE4, PORTE5, PORTE6, PORTE7 };
enum { PF0, PF1, PF2, PF3, PF4, PF5, PF6, PF7 };
enum { DDF0, DDF1, DDF2, DDF3, DDF4, DDF5, DDF6, DDF7 };
enum { PINF0, PINF1, PINF2, PINF3, PINF4, PINF5, PINF6, PINF7 };
enum { PORTF0, PORTF1, PORTF2, PORTF3, PORTF4, PORTF5, PORTF6, PORTF7 };
enum { PG0, PG1, PG2, PG3, PG4, PG5, PG6, PG7 };
enum { DDG0, DDG1, DDG2, DDG3, DDG4, DDG5, DDG6, DDG7 };
enum { PING0, PING1, PING2, PING3, PING4, PING5, PING6, PING7 };
enum { PORTG0, PORTG1, PORTG2, PORTG3, PORTG4, PORTG5, PORTG6, PORTG7 };

/* Bits, by their number */

#define SREG_C 0
#define SREG_Z 1
#define SREG_N 2
#define SREG_V 3
#define SREG_S 4
#define SREG_H 5
#define SREG_T 6
#define SREG_I 7
#define SE 0
#define SM0 1
#define SM1 2
#define SM2 3
#define IVCE 0
#define IVSEL 1
#define PUD 4
#define BODSE 5
#define BODS 6
#define PORF 0
#define EXTRF 1
#define BORF 2
#define WDRF 3
#define JTRF 4
#define PRADC 0
#define PRUSART0 1
#define PRSPI 2
#define PRTIM1 3
#define PRTIM0 5
#define PRTIM2 6
#define PRTWI 7
#define CLKPS0 0
#define CLKPS1 1
#define CLKPS2 2
#define CLKPS3 3
#define CLKPCE 7
#define WDP0 0
#define WDP1 1
#define WDP2 2
#define WDE 3
#define WDCE 4
#define WDP3 5
#define WDIE 6
#define WDIF 7
#define ISC00 0
#define ISC01 1
#define ISC10 2
#define ISC11 3
#define ISC20 4
#define ISC21 5
#define ISC30 6
#define ISC31 7
#define INT0 0
#define INT1 1
#define INT2 2
#define INT3 3
#define INT4 4
#define INT5 5
#define INT6 6
#define INT7 7
#define INTF0 0
#define INTF1 1
#define INTF2 2
#define INTF3 3
#define INTF4 4
#define INTF5 5
#define INTF6 6
#define INTF7 7
#define PCIE0 0
#define PCIE1 1
#define PCIE2 2
#define PCIE3 3
#define PCIF0 0
#define PCIF1 1
#define PCIF2 2
#define PCIF3 3
#define PCINT0 0
#define PCINT1 1
#define PCINT2 2
#define PCINT3 3
#define PCINT4 4
#define PCINT5 5
#define PCINT6 6
#define PCINT7 7
#define PCINT8 0
#define PCINT9 1
#define PCINT10 2
#define PCINT11 3
#define PCINT12 4
#define PCINT13 5
#define PCINT14 6
#define PCINT15 7
#define PCINT16 0
#define PCINT17 1
#define PCINT18 2
#define PCINT19 3
#define PCINT20 4
#define PCINT21 5
#define PCINT22 6
#define PCINT23 7
#define MUX0 0
#define MUX1 1
#define MUX2 2
#define MUX3 3
#define MUX4 4
#define ADLAR 5
#define REFS0 6
#define REFS1 7
#define ADPS0 0
#define ADPS1 1
#define ADPS2 2
#define ADIE 3
#define ADIF 4
#define ADATE 5
#define ADSC 6
#define ADEN 7
#define ADTS0 0
#define ADTS1 1
#define ADTS2 2
#define ACME 6
#define ADC0D 0
#define ADC1D 1
#define ADC2D 2
#define ADC3D 3
#define ADC4D 4
#define ADC5D 5
#define ACIS0 0
#define ACIS1 1
#define ACIC 2
#define ACIE 3
#define ACI 4
#define ACO 5
#define ACBG 6
#define ACD 7
#define SPR0 0
#define SPR1 1
#define CPHA 2
#define CPOL 3
#define MSTR 4
#define DORD 5
#define SPE 6
#define SPIE 7
#define SPI2X 0
#define WCOL 6
#define SPIF 7
#define TWIE 0
#define TWEN 2
#define TWWC 3
#define TWSTO 4
#define TWSTA 5
#define TWEA 6
#define TWINT 7
#define TWPS0 0
#define TWPS1 1
#define TWS3 3
#define TWS4 4
#define TWS5 5
#define TWS6 6
#define TWS7 7
#define EERE 0
#define EEPE 1
#define EEMPE 2
#define EERIE 3
#define EEPM0 4
#define EEPM1 5
#define SELFPRGEN 0
#define PGERS 1
#define PGWRT 2
#define BLBSET 3
#define RWWSRE 4
#define SIGRD 5
#define RWWSB 6
#define SPMIE 7
#define TCR2BUB 0
#define TCR2AUB 1
#define OCR2BUB 2
#define OCR2AUB 3
#define TCN2UB 4
#define AS2 5
#define EXCLK 6
#define USITC 0
#define USICLK 1
#define USICS0 2
#define USICS1 3
#define USIWM0 4
#define USIWM1 5
#define USIOIE 6
#define USISIE 7
#define USICNT0 0
#define USICNT1 1
#define USICNT2 2
#define USICNT3 3
#define USIDC 4
#define USIPF 5
#define USIOIF 6
#define USISIF 7
#define WGM00 0
#define WGM01 1
#define COM0B0 4
#define COM0B1 5
#define COM0A0 6
#define COM0A1 7
#define CS00 0
#define CS01 1
#define CS02 2
#define WGM02 3
#define FOC0B 6
#define FOC0A 7
#define TOIE0 0
#define OCIE0A 1
#define OCIE0B 2
#define TOV0 0
#define OCF0A 1
#define OCF0B 2
#define WGM20 0
#define WGM21 1
#define COM2B0 4
#define COM2B1 5
#define COM2A0 6
#define COM2A1 7
#define CS20 0
#define CS21 1
#define CS22 2
#define WGM22 3
#define FOC2B 6
#define FOC2A 7
#define TOIE2 0
#define OCIE2A 1
#define OCIE2B 2
#define TOV2 0
#define OCF2A 1
#define OCF2B 2
#define WGM10 0
#define WGM11 1
#define COM1C0 2
#define COM1C1 3
#define COM1B0 4
#define COM1B1 5
#define COM1A0 6
#define COM1A1 7
#define CS10 0
#define CS11 1
#define CS12 2
#define WGM12 3
#define WGM13 4
#define ICES1 6
#define ICNC1 7
#define TOIE1 0
#define OCIE1A 1
#define OCIE1B 2
#define OCIE1C 3
#define ICIE1 5
#define TOV1 0
#define OCF1A 1
#define OCF1B 2
#define OCF1C 3
#define ICF1 5
#define WGM30 0
#define WGM31 1
#define COM3C0 2
#define COM3C1 3
#define COM3B0 4
#define COM3B1 5
#define COM3A0 6
#define COM3A1 7
#define CS30 0
#define CS31 1
#define CS32 2
#define WGM32 3
#define WGM33 4
#define ICES3 6
#define ICNC3 7
#define TOIE3 0
#define OCIE3A 1
#define OCIE3B 2
#define OCIE3C 3
#define ICIE3 5
#define TOV3 0
#define OCF3A 1
#define OCF3B 2
#define OCF3C 3
#define ICF3 5
#define WGM40 0
#define WGM41 1
#define COM4C0 2
#define COM4C1 3
#define COM4B0 4
#define COM4B1 5
#define COM4A0 6
#define COM4A1 7
#define CS40 0
#define CS41 1
#define CS42 2
#define WGM42 3
#define WGM43 4
#define ICES4 6
#define ICNC4 7
#define TOIE4 0
#define OCIE4A 1
#define OCIE4B 2
#define OCIE4C 3
#define ICIE4 5
#define TOV4 0
#define OCF4A 1
#define OCF4B 2
#define OCF4C 3
#define ICF4 5
#define WGM50 0
#define WGM51 1
#define COM5C0 2
#define COM5C1 3
#define COM5B0 4
#define COM5B1 5
#define COM5A0 6
#define COM5A1 7
#define CS50 0
#define CS51 1
#define CS52 2
#define WGM52 3
#define WGM53 4
#define ICES5 6
#define ICNC5 7
#define TOIE5 0
#define OCIE5A 1
#define OCIE5B 2
#define OCIE5C 3
#define ICIE5 5
#define TOV5 0
#define OCF5A 1
#define OCF5B 2
#define OCF5C 3
#define ICF5 5
#define MPCM0 0
#define U2X0 1
#define UPE0 2
#define DOR0 3
#define FE0 4
#define UDRE0 5
#define TXC0 6
#define RXC0 7
#define TXB80 0
#define RXB80 1
#define UCSZ02 2
#define TXEN0 3
#define RXEN0 4
#define UDRIE0 5
#define TXCIE0 6
#define RXCIE0 7
#define UCPOL0 0
#define UCSZ00 1
#define UCSZ01 2
#define USBS0 3
#define UPM00 4
#define UPM01 5
#define UMSEL00 6
#define UMSEL01 7
#define MPCM1 0
#define U2X1 1
#define UPE1 2
#define DOR1 3
#define FE1 4
#define UDRE1 5
#define TXC1 6
#define RXC1 7
#define TXB81 0
#define RXB81 1
#define UCSZ12 2
#define TXEN1 3
#define RXEN1 4
#define UDRIE1 5
#define TXCIE1 6
#define RXCIE1 7
#define UCPOL1 0
#define UCSZ10 1
#define UCSZ11 2
#define USBS1 3
#define UPM10 4
#define UPM11 5
#define UMSEL10 6
#define UMSEL11 7
#define MPCM2 0
#define U2X2 1
#define UPE2 2
#define DOR2 3
#define FE2 4
#define UDRE2 5
#define TXC2 6
#define RXC2 7
#define TXB82 0
#define RXB82 1
#define UCSZ22 2
#define TXEN2 3
#define RXEN2 4
#define UDRIE2 5
#define TXCIE2 6
#define RXCIE2 7
#define UCPOL2 0
#define UCSZ20 1
#define UCSZ21 2
#define USBS2 3
#define UPM20 4
#define UPM21 5
#define UMSEL20 6
#define UMSEL21 7
#define MPCM3 0
#define U2X3 1
#define UPE3 2
#define DOR3 3
#define FE3 4
#define UDRE3 5
#define TXC3 6
#define RXC3 7
#define TXB83 0
#define RXB83 1
#define UCSZ32 2
#define TXEN3 3
#define RXEN3 4
#define UDRIE3 5
#define TXCIE3 6
#define RXCIE3 7
#define UCPOL3 0
#define UCSZ30 1
#define UCSZ31 2
#define USBS3 3
#define UPM30 4
#define UPM31 5
#define UMSEL30 6
#define UMSEL31 7
#define MPCM 0
#define U2X 1
#define UPE 2
#define DOR 3
#define FE 4
#define UDRE 5
#define TXC 6
#define RXC 7
#define TXB8 0
#define RXB8 1
#define UCSZ2 2
#define TXEN 3
#define RXEN 4
#define UDRIE 5
#define TXCIE 6
#define RXCIE 7
#define UCPOL 0
#define UCSZ0 1
#define UCSZ1 2
#define USBS 3
#define UPM0 4
#define UPM1 5
#define UMSEL0 6
#define UMSEL1 7
/* Older names of the same */
#define EEWE EEPE
#define EEMWE EEMPE
#define WDTOE WDCE
#define WDTIE WDIE
#define WDTIF WDIF
#define SM SM0
#define URSEL 7
#endif
