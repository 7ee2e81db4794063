// A parser for the sentences of a positioning receiver, fed from a serial line.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

int uart_getc(void);
bool uart_available(void);

#define LINE_MAX 82
#define FIELDS_MAX 20

struct fix {
    int32_t latitude, longitude;
    uint8_t hours, minutes, seconds;
    uint8_t satellites;
    bool valid;
};

static char line[LINE_MAX + 1];
static uint8_t length;
static bool in_sentence;
static struct fix current;
static uint16_t sentences, bad_checksums;
static uint8_t best_satellites;

static int hex(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    if (c >= 'A' && c <= 'F') {
        return c - 'A' + 10;
    }
    return -1;
}

static bool checksum_ok(const char *sentence) {
    uint8_t sum = 0;
    const char *p = sentence;
    while (*p && *p != '*') { //~ repeated-input bad_checksums @O1
        sum ^= (uint8_t)*p++;
    }
    if (*p != '*') {
        return false;
    }
    int high = hex(p[1]);
    int low = high < 0 ? -1 : hex(p[2]);
    return low >= 0 && sum == (uint8_t)(high << 4 | low);
}

static uint8_t split(char *sentence, char *fields[], uint8_t max) {
    uint8_t n = 0;
    fields[n++] = sentence;
    for (char *p = sentence; *p && n < max; p++) { //~ repeated-input line[0..10]
        if (*p == ',' || *p == '*') { //~ repeated-input line[0..10]
            *p = 0; //~ war line
            fields[n++] = p + 1;
        }
    }
    return n;
}

static uint32_t number(const char *text) {
    uint32_t value = 0;
    while (*text >= '0' && *text <= '9') {
        value = value * 10 + (uint32_t)(*text++ - '0');
    }
    return value;
}

static int32_t coordinate(const char *text, const char *hemisphere) {
    uint32_t whole = number(text);
    const char *point = strchr(text, '.');
    uint32_t fraction = point ? number(point + 1) : 0;
    int32_t degrees = (int32_t)(whole / 100);
    int32_t minutes = (int32_t)(whole % 100);
    int32_t value = degrees * 1000000 + (minutes * 10000 + (int32_t)fraction) * 10 / 6;
    if (*hemisphere == 'S' || *hemisphere == 'W') {
        value = -value;
    }
    return value;
}

static void parse_gga(char *fields[], uint8_t count) {
    struct fix fix;
    if (count < 8) { //~ repeated-input best_satellites
        return;
    }
    memset(&fix, 0, sizeof fix);
    uint32_t time = number(fields[1]);
    fix.hours = (uint8_t)(time / 10000);
    fix.minutes = (uint8_t)(time / 100 % 100);
    fix.seconds = (uint8_t)(time % 100);
    fix.valid = fields[6][0] > '0';
    fix.satellites = (uint8_t)number(fields[7]);
    if (fix.valid) {
        fix.latitude = coordinate(fields[2], fields[3]);
        fix.longitude = coordinate(fields[4], fields[5]);
    }
    current = fix;
    if (fix.satellites > best_satellites) { //~ repeated-input best_satellites
        best_satellites = fix.satellites; //~ war best_satellites
    }
}

static void parse(char *sentence) {
    char *fields[FIELDS_MAX];
    if (!checksum_ok(sentence)) { //~ repeated-input bad_checksums
        bad_checksums++; //~ war bad_checksums
        return;
    }
    uint8_t count = split(sentence, fields, FIELDS_MAX);
    sentences++; //~ war sentences
    if (strlen(fields[0]) == 5 && strcmp(fields[0] + 2, "GGA") == 0) { //~ repeated-input best_satellites
        parse_gga(fields, count);
    }
}

void gps_feed(char c) {
    if (c == '$') { //~ repeated-input bad_checksums
        in_sentence = true; //~ war in_sentence
        length = 0;
        return;
    }
    if (!in_sentence) { //~ repeated-input bad_checksums
        return;
    }
    if (c == '\r' || c == '\n') { //~ repeated-input bad_checksums
        line[length] = 0; //~ tainted-address line
        in_sentence = false;
        parse(line);
        return;
    }
    if (length >= LINE_MAX) { //~ repeated-input in_sentence
        in_sentence = false;
        return;
    }
    line[length++] = c; //~ tainted-address line; war length
}

void gps_poll(void) {
    while (uart_available()) { //~ repeated-input bad_checksums
        gps_feed((char)uart_getc());
    }
}

bool gps_fix(struct fix *out) {
    *out = current;
    return current.valid;
}

uint16_t gps_sentences(void) { return sentences; }
uint16_t gps_bad(void) { return bad_checksums; }
uint8_t gps_best(void) { return best_satellites; }
