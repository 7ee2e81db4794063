// Settings in an EEPROM with two copies, a checksum and defaults, behind a cache in memory.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

int eeprom_read(uint16_t address, void *data, uint16_t length);
int eeprom_write(uint16_t address, const void *data, uint16_t length);

#define MAGIC 0x5E77
#define COPY_A 0
#define COPY_B 64
#define INTERVAL_MIN 10
#define INTERVAL_MAX 3600

struct settings {
    uint16_t magic;
    uint16_t sequence;
    uint16_t interval;
    int16_t offset;
    char name[12];
    uint8_t flags;
    uint8_t crc;
};

static struct settings cache;
static bool loaded;
static bool dirty;
static uint16_t writes;

static uint8_t crc(const struct settings *settings) {
    const uint8_t *bytes = (const uint8_t *)settings;
    uint8_t value = 0;
    for (uint16_t i = 0; i < sizeof *settings - 1; i++) {
        value ^= bytes[i];
        for (int bit = 0; bit < 8; bit++) {
            value = (uint8_t)(value & 1 ? value >> 1 ^ 0x8C : value >> 1);
        }
    }
    return value;
}

static bool usable(const struct settings *settings) {
    return settings->magic == MAGIC && settings->crc == crc(settings);
}

static void defaults(struct settings *settings) {
    memset(settings, 0, sizeof *settings);
    settings->magic = MAGIC;
    settings->interval = 60;
    strcpy(settings->name, "node");
}

bool settings_load(void) {
    struct settings a, b;
    if (loaded) {
        return true;
    }
    bool good_a = eeprom_read(COPY_A, &a, sizeof a) == 0 && usable(&a);
    bool good_b = eeprom_read(COPY_B, &b, sizeof b) == 0 && usable(&b);
    if (good_a && good_b) { //~ repeated-input dirty
        cache = (int16_t)(a.sequence - b.sequence) > 0 ? a : b;
    } else if (good_a) { //~ repeated-input dirty
        cache = a;
    } else if (good_b) { //~ repeated-input dirty
        cache = b;
    } else {
        defaults(&cache);
        dirty = true;
    }
    if (cache.interval < INTERVAL_MIN) {
        cache.interval = INTERVAL_MIN;
    }
    if (cache.interval > INTERVAL_MAX) {
        cache.interval = INTERVAL_MAX;
    }
    cache.name[sizeof cache.name - 1] = 0;
    loaded = true; //~ war loaded
    return good_a || good_b;
}

int settings_save(void) {
    if (!dirty) {
        return 0;
    }
    cache.sequence++; //~ war cache.sequence
    cache.crc = crc(&cache);
    int error = eeprom_write(cache.sequence & 1 ? COPY_A : COPY_B, &cache, sizeof cache);
    if (error != 0) {
        return error;
    }
    writes++; //~ war writes
    dirty = false; //? war dirty
    return 0;
}

void settings_set_interval(uint16_t seconds) {
    if (seconds < INTERVAL_MIN) {
        seconds = INTERVAL_MIN;
    } else if (seconds > INTERVAL_MAX) {
        seconds = INTERVAL_MAX;
    }
    if (cache.interval != seconds) {
        cache.interval = seconds;
        dirty = true;
    }
}

void settings_set_flag(uint8_t flag, bool on) {
    uint8_t before = cache.flags;
    if (on) {
        cache.flags |= (uint8_t)(1u << flag);
    } else {
        cache.flags &= (uint8_t)~(1u << flag);
    }
    if (cache.flags != before) {
        dirty = true;
    }
}

void settings_set_name(const char *name) {
    strncpy(cache.name, name, sizeof cache.name - 1);
    cache.name[sizeof cache.name - 1] = 0;
    dirty = true;
}

uint16_t settings_interval(void) { return cache.interval; }
int16_t settings_offset(void) { return cache.offset; }
const char *settings_name(void) { return cache.name; }
uint8_t settings_flags(void) { return cache.flags; }
uint16_t settings_writes(void) { return writes; }

void settings_reset(void) {
    defaults(&cache);
    dirty = true;
}
