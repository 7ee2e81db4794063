// A real-time clock with two alarms, temperature and an aging register, in packed decimal.
#include <stdbool.h>
#include <stdint.h>

bool wire_write(uint8_t address, const uint8_t *bytes, uint8_t count);
bool wire_read(uint8_t address, uint8_t reg, uint8_t *bytes, uint8_t count);

#define RTC 0x68
#define REG_TIME 0x00
#define REG_ALARM1 0x07
#define REG_CONTROL 0x0E
#define REG_STATUS 0x0F
#define STATUS_OSF 0x80
#define STATUS_A1F 0x01
#define CONTROL_A1IE 0x01
#define CONTROL_INTCN 0x04

struct rtc_time {
    uint8_t second, minute, hour, day, date, month;
    uint16_t year;
};

static struct rtc_time cached;
static bool valid;
static uint8_t alarms;
static int16_t coldest;

static uint8_t to_decimal(uint8_t packed) { return (uint8_t)((packed >> 4) * 10 + (packed & 0x0F)); }
static uint8_t to_packed(uint8_t number) { return (uint8_t)((number / 10) << 4 | number % 10); }

static bool update_register(uint8_t reg, uint8_t clear, uint8_t set) {
    uint8_t frame[2];
    frame[0] = reg;
    if (!wire_read(RTC, reg, &frame[1], 1)) {
        return false;
    }
    frame[1] &= (uint8_t)~clear;
    frame[1] |= set;
    return wire_write(RTC, frame, 2);
}

bool rtc_get(struct rtc_time *time) {
    uint8_t raw[7];
    uint8_t status;
    if (!wire_read(RTC, REG_STATUS, &status, 1)) { //~ repeated-input cached @O1; repeated-input cached.date @O0
        return false;
    }
    if (status & STATUS_OSF) { //~ repeated-input cached @O1; repeated-input cached.date @O0
        valid = false;
        return false;
    }
    if (!wire_read(RTC, REG_TIME, raw, sizeof raw)) { //~ repeated-input cached @O1; repeated-input cached.date @O0
        return false;
    }
    time->second = to_decimal(raw[0] & 0x7F);
    time->minute = to_decimal(raw[1]);
    if (raw[2] & 0x40) {
        uint8_t hour = to_decimal(raw[2] & 0x1F);
        if (hour == 12) {
            hour = 0;
        }
        time->hour = raw[2] & 0x20 ? (uint8_t)(hour + 12) : hour;
    } else {
        time->hour = to_decimal(raw[2] & 0x3F);
    }
    time->day = raw[3];
    time->date = to_decimal(raw[4]);
    time->month = to_decimal(raw[5] & 0x1F);
    time->year = (uint16_t)(2000 + to_decimal(raw[6]));
    if (raw[5] & 0x80) {
        time->year += 100;
    }
    cached = *time;
    valid = true;
    return true;
}

bool rtc_set(const struct rtc_time *time) {
    uint8_t frame[8];
    frame[0] = REG_TIME;
    frame[1] = to_packed(time->second);
    frame[2] = to_packed(time->minute);
    frame[3] = to_packed(time->hour);
    frame[4] = time->day;
    frame[5] = to_packed(time->date);
    frame[6] = to_packed(time->month);
    frame[7] = to_packed((uint8_t)(time->year % 100));
    if (time->year >= 2100) {
        frame[6] |= 0x80;
    }
    if (!wire_write(RTC, frame, sizeof frame)) {
        return false;
    }
    return update_register(REG_STATUS, STATUS_OSF, 0);
}

bool rtc_alarm(uint8_t hour, uint8_t minute) {
    uint8_t frame[5] = {REG_ALARM1, 0, to_packed(minute), to_packed(hour), 0x80};
    if (!wire_write(RTC, frame, sizeof frame)) {
        return false;
    }
    return update_register(REG_CONTROL, 0, CONTROL_A1IE | CONTROL_INTCN);
}

bool rtc_poll_alarm(void) {
    uint8_t status;
    if (!wire_read(RTC, REG_STATUS, &status, 1)) { //~ repeated-input alarms
        return false;
    }
    if (!(status & STATUS_A1F)) { //~ repeated-input alarms
        return false;
    }
    update_register(REG_STATUS, STATUS_A1F, 0);
    alarms++; //~ war alarms
    return true;
}

bool rtc_temperature(int16_t *quarters) {
    uint8_t raw[2];
    if (!wire_read(RTC, 0x11, raw, 2)) { //~ repeated-input coldest
        return false;
    }
    *quarters = (int16_t)((int16_t)(raw[0] << 8 | raw[1]) >> 6);
    if (*quarters < coldest) { //~ repeated-input coldest
        coldest = *quarters; //~ war coldest
    }
    return true;
}

const struct rtc_time *rtc_cached(void) { return valid ? &cached : 0; }
uint8_t rtc_alarms(void) { return alarms; }
int16_t rtc_coldest(void) { return coldest; }
