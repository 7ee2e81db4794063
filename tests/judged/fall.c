// An accelerometer with a FIFO and interrupts for taps and free fall.
#include <stdbool.h>
#include <stdint.h>

uint8_t spi_transfer(uint8_t byte);
void cs_low(void);
void cs_high(void);
uint32_t millis(void);

#define FIFO_DEPTH 32
#define INT_SINGLE_TAP 0x40
#define INT_DOUBLE_TAP 0x20
#define INT_FREE_FALL 0x04
#define INT_WATERMARK 0x02
#define INT_OVERRUN 0x01

typedef struct {
    int16_t x, y, z;
} sample_t;

static sample_t fifo[FIFO_DEPTH];
static uint8_t fifo_count;
static uint8_t int_enable;
static volatile bool fallen;
static uint16_t taps, double_taps, overruns;
static uint32_t last_tap;

static uint8_t read_register(uint8_t reg) {
    cs_low();
    spi_transfer(0x80 | reg);
    uint8_t value = spi_transfer(0);
    cs_high();
    return value;
}

static void write_register(uint8_t reg, uint8_t value) {
    cs_low();
    spi_transfer(reg);
    spi_transfer(value);
    cs_high();
}

static void read_sample(sample_t *sample) {
    uint8_t raw[6];
    cs_low();
    spi_transfer(0xC0 | 0x32);
    for (uint8_t i = 0; i < sizeof raw; i++) {
        raw[i] = spi_transfer(0);
    }
    cs_high();
    sample->x = (int16_t)(raw[1] << 8 | raw[0]);
    sample->y = (int16_t)(raw[3] << 8 | raw[2]);
    sample->z = (int16_t)(raw[5] << 8 | raw[4]);
}

bool accel_begin(void) {
    if (read_register(0x00) != 0xE5) { //~ repeated-input fallen
        return false;
    }
    write_register(0x2D, 0x00);
    write_register(0x31, 0x0B);
    write_register(0x38, 0x80 | 16);
    int_enable = 0;
    write_register(0x2E, int_enable);
    write_register(0x2D, 0x08);
    fallen = false;
    fifo_count = 0;
    return true;
}

void accel_enable_interrupt(uint8_t mask) {
    int_enable |= mask;
    write_register(0x2E, int_enable);
}

void accel_disable_interrupt(uint8_t mask) {
    int_enable &= (uint8_t)~mask;
    write_register(0x2E, int_enable);
}

void accel_set_range(uint8_t range) {
    uint8_t format = read_register(0x31);
    format &= (uint8_t)~0x03;
    format |= range & 0x03;
    write_register(0x31, format);
}

uint8_t accel_drain(void) {
    uint8_t entries = read_register(0x39) & 0x3F;
    if (entries > FIFO_DEPTH) {
        entries = FIFO_DEPTH;
    }
    for (uint8_t i = 0; i < entries; i++) { //? repeated-input fifo[0..32].x
        read_sample(&fifo[i]);
    }
    fifo_count = entries;
    return entries;
}

bool accel_sample(uint8_t index, sample_t *out) {
    if (index >= fifo_count) {
        return false;
    }
    *out = fifo[index];
    return true;
}

void accel_interrupt(void) {
    uint8_t source = read_register(0x30);
    if (source & INT_FREE_FALL) { //~ repeated-input fallen
        fallen = true;
    }
    if (source & INT_DOUBLE_TAP) { //~ repeated-input double_taps
        double_taps++; //~ war double_taps
    } else if (source & INT_SINGLE_TAP) { //~ repeated-input last_tap
        taps++; //~ war taps
        last_tap = millis();
    }
    if (source & INT_OVERRUN) { //~ repeated-input overruns
        overruns++; //~ war overruns
    }
}

bool accel_fallen(void) {
    bool result = fallen;
    fallen = false; //~ war fallen
    return result;
}

bool accel_is_still(void) {
    int32_t minimum = INT16_MAX, maximum = INT16_MIN;
    for (uint8_t i = 0; i < fifo_count; i++) {
        int32_t sum = (int32_t)fifo[i].x + fifo[i].y + fifo[i].z;
        if (sum < minimum) {
            minimum = sum;
        }
        if (sum > maximum) {
            maximum = sum;
        }
    }
    return maximum - minimum < 64;
}

uint16_t accel_taps(void) { return taps; }
uint16_t accel_double_taps(void) { return double_taps; }
uint16_t accel_overruns(void) { return overruns; }
uint32_t accel_last_tap(void) { return last_tap; }
