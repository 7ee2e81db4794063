// A coulomb counter on I2C: the charge register is read and added up, with a prescaler and alert thresholds.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef int32_t (*cc_read_t)(void *handle, uint8_t reg, uint8_t *data, uint16_t length);
typedef int32_t (*cc_write_t)(void *handle, uint8_t reg, const uint8_t *data, uint16_t length);

typedef struct {
    cc_read_t read_reg;
    cc_write_t write_reg;
    void *handle;
} cc_ctx_t;

#define CC_STATUS 0x00
#define CC_CONTROL 0x01
#define CC_CHARGE 0x02
#define CC_HIGH 0x04
#define CC_LOW 0x06
#define CC_STATUS_RESET 0x01
#define CC_STATUS_HIGH 0x08
#define CC_STATUS_LOW 0x04

typedef struct {
    cc_ctx_t bus;
    uint8_t prescaler;
    uint16_t last;
    int32_t total;
    uint32_t used;
    uint16_t wraps;
    uint16_t alerts;
    bool low;
} cc_t;

static int32_t cc_read_word(cc_t *cc, uint8_t reg, uint16_t *word) {
    uint8_t raw[2];
    int32_t status = cc->bus.read_reg(cc->bus.handle, reg, raw, 2);
    if (status == 0) { //~ repeated-input cc->last
        *word = (uint16_t)(raw[0] << 8 | raw[1]);
    }
    return status;
}

static int32_t cc_write_word(cc_t *cc, uint8_t reg, uint16_t word) {
    uint8_t raw[2];
    raw[0] = (uint8_t)(word >> 8);
    raw[1] = (uint8_t)word;
    return cc->bus.write_reg(cc->bus.handle, reg, raw, 2);
}

int32_t cc_init(cc_t *cc, uint8_t prescaler) {
    uint8_t control;
    if (cc->bus.read_reg(cc->bus.handle, CC_CONTROL, &control, 1) != 0) { //~ repeated-input cc->alerts
        return -1;
    }
    control = (uint8_t)((control & 0xC7) | (prescaler & 7) << 3);
    if (cc->bus.write_reg(cc->bus.handle, CC_CONTROL, &control, 1) != 0) { //~ repeated-input cc->alerts @O1
        return -1;
    }
    cc->prescaler = prescaler & 7;
    cc->total = 0;
    cc->used = 0;
    cc->wraps = 0;
    cc->alerts = 0;
    cc->low = false;
    return cc_read_word(cc, CC_CHARGE, &cc->last);
}

/* Adds what has flowed since the last call. */
int32_t cc_update(cc_t *cc) {
    uint16_t now;
    int32_t status = cc_read_word(cc, CC_CHARGE, &now);
    if (status != 0) { //~ repeated-input cc->last
        return status;
    }
    int16_t change = (int16_t)(now - cc->last);
    cc->total += change; //~ war cc->total
    if (change < 0) { //~ repeated-input cc->used
        cc->used += (uint16_t)-change; //~ war cc->used
    }
    cc->last = now; //~ war cc->last
    return 0;
}

int32_t cc_set_limits(cc_t *cc, uint16_t low, uint16_t high) {
    if (low >= high) {
        return -2;
    }
    int32_t status = cc_write_word(cc, CC_LOW, low);
    if (status != 0) {
        return status;
    }
    return cc_write_word(cc, CC_HIGH, high);
}

/* Called on the alert line. */
int32_t cc_alert(cc_t *cc) {
    uint8_t flags;
    if (cc->bus.read_reg(cc->bus.handle, CC_STATUS, &flags, 1) != 0) { //~ repeated-input cc->alerts
        return -1;
    }
    if (flags & CC_STATUS_RESET) { //~ repeated-input cc->wraps
        cc->wraps++; //~ war cc->wraps
    }
    if (flags & (CC_STATUS_LOW | CC_STATUS_HIGH)) { //~ repeated-input cc->alerts
        cc->alerts++; //~ war cc->alerts
    }
    cc->low = (flags & CC_STATUS_LOW) != 0;
    return 0;
}

int32_t cc_charge_uah(const cc_t *cc) {
    return cc->total * 85 / (128 >> cc->prescaler);
}
