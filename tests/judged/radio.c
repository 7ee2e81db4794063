// A packet radio with long range, by registers: modes, channel, transmission, reception with callbacks.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

void radio_write(uint8_t reg, uint8_t value);
uint8_t radio_read(uint8_t reg);
void radio_read_fifo(uint8_t *data, uint8_t length);
void radio_write_fifo(const uint8_t *data, uint8_t length);
uint32_t timer_now(void);

#define MODE_SLEEP 0
#define MODE_STANDBY 1
#define MODE_TX 3
#define MODE_RX 5
#define IRQ_RX_DONE 0x40
#define IRQ_CRC_ERROR 0x20
#define IRQ_TX_DONE 0x08
#define IRQ_RX_TIMEOUT 0x80

typedef struct {
    void (*received)(const uint8_t *payload, uint8_t size, int16_t rssi, int8_t snr);
    void (*sent)(void);
    void (*timed_out)(void);
} radio_events_t;

typedef struct {
    uint8_t mode;
    uint32_t frequency;
    uint8_t spreading;
    uint8_t power;
    bool public_network;
    uint8_t size;
    int16_t rssi;
    int8_t snr;
    uint16_t packets, crc_errors;
    uint32_t tx_start, time_on_air;
} radio_t;

static radio_t radio;
static uint8_t buffer[255];
static const radio_events_t *events;

static void set_mode(uint8_t mode) {
    if (radio.mode == mode) {
        return;
    }
    radio_write(0x01, 0x80 | mode);
    radio.mode = mode; //~ war radio.mode
}

void radio_set_channel(uint32_t frequency) {
    radio.frequency = frequency;
    uint32_t steps = (uint32_t)(((uint64_t)frequency << 19) / 32000000u);
    radio_write(0x06, (uint8_t)(steps >> 16));
    radio_write(0x07, (uint8_t)(steps >> 8));
    radio_write(0x08, (uint8_t)steps);
}

bool radio_init(const radio_events_t *handlers) {
    events = handlers;
    if (radio_read(0x42) != 0x12) { //~ repeated-input radio.crc_errors
        return false;
    }
    memset(&radio, 0, sizeof radio);
    radio_write(0x01, 0x80 | MODE_SLEEP);
    radio.mode = MODE_SLEEP;
    radio_set_channel(868100000u);
    radio.spreading = 7;
    set_mode(MODE_STANDBY);
    return true;
}

void radio_set_config(uint8_t spreading, uint8_t power, bool is_public) {
    if (spreading > 12) {
        spreading = 12;
    } else if (spreading < 6) {
        spreading = 6;
    }
    if (power > 17) {
        power = 17;
    }
    radio.spreading = spreading;
    radio.power = power;
    radio.public_network = is_public;
    radio_write(0x1E, (uint8_t)((radio_read(0x1E) & 0x0F) | spreading << 4));
    radio_write(0x09, (uint8_t)(0x80 | power));
    radio_write(0x39, is_public ? 0x34 : 0x12);
    if (spreading >= 11) {
        radio_write(0x26, (uint8_t)(radio_read(0x26) | 0x08));
    } else {
        radio_write(0x26, (uint8_t)(radio_read(0x26) & ~0x08));
    }
}

bool radio_send(const uint8_t *payload, uint8_t size) {
    if (radio.mode == MODE_TX) {
        return false;
    }
    set_mode(MODE_STANDBY);
    radio_write(0x0D, 0);
    radio_write(0x22, size);
    memcpy(buffer, payload, size);
    radio_write_fifo(buffer, size);
    radio.tx_start = timer_now();
    set_mode(MODE_TX);
    return true;
}

void radio_receive(void) {
    set_mode(MODE_STANDBY);
    radio_write(0x0D, 0);
    set_mode(MODE_RX);
}

static void on_rx_done(void) {
    radio_write(0x12, IRQ_RX_DONE);
    uint8_t flags = radio_read(0x12);
    if (flags & IRQ_CRC_ERROR) { //~ repeated-input radio.crc_errors
        radio_write(0x12, IRQ_CRC_ERROR);
        radio.crc_errors++;
        set_mode(MODE_STANDBY);
        return;
    }
    int8_t snr = (int8_t)radio_read(0x19);
    radio.snr = (int8_t)((snr + 2) >> 2);
    int16_t rssi = radio_read(0x1A);
    if (radio.snr < 0) {
        radio.rssi = (int16_t)(-157 + rssi + radio.snr);
    } else {
        radio.rssi = (int16_t)(-157 + rssi);
    }
    radio.size = radio_read(0x13);
    radio_write(0x0D, radio_read(0x10));
    radio_read_fifo(buffer, radio.size);
    radio.packets++;
    if (events && events->received) {
        events->received(buffer, radio.size, radio.rssi, radio.snr);
    }
}

void radio_irq(void) {
    uint8_t flags = radio_read(0x12);
    switch (radio.mode) {
    case MODE_RX:
        if (flags & IRQ_RX_TIMEOUT) { //~ repeated-input radio.crc_errors
            radio_write(0x12, IRQ_RX_TIMEOUT);
            set_mode(MODE_STANDBY);
            if (events && events->timed_out) {
                events->timed_out();
            }
        } else if (flags & IRQ_RX_DONE) { //~ repeated-input radio.crc_errors
            on_rx_done();
        }
        break;
    case MODE_TX:
        if (flags & IRQ_TX_DONE) { //~ repeated-input radio.mode
            radio_write(0x12, IRQ_TX_DONE);
            radio.time_on_air += timer_now() - radio.tx_start;
            set_mode(MODE_STANDBY);
            if (events && events->sent) {
                events->sent();
            }
        }
        break;
    default:
        break;
    }
}

uint32_t radio_time_on_air(void) { return radio.time_on_air; }
uint16_t radio_packets(void) { return radio.packets; }
uint16_t radio_crc_errors(void) { return radio.crc_errors; }
