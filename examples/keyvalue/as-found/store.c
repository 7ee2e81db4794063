// A log-structured key-value store in two banks. Records are appended; when a bank is full, the
// newest value of every key is copied to the other bank, which then takes over.
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include <brownout.h>

enum { BANK = 64, RECORD = 8, KEYS = 2, ACTIVE = 0xa5 };

uint8_t flash[2 * BANK];
// What the store has acknowledged, by key.
BROWNOUT_GHOST uint8_t acknowledged[KEYS];

void flash_program(void *to, const void *from, uint32_t size);
void flash_erase(void *block);

struct record {
    uint8_t key, value, check, pad[5];
};

static uint8_t check_of(uint8_t key, uint8_t value) { return (uint8_t)(key * 31 + value + 7); }

static uint8_t *bank(int number) { return flash + number * BANK; }

// The first record of a bank is its header: it is in use once that is programmed.
static int is_active(int number) { return bank(number)[0] == ACTIVE; }

static int active(void) { return is_active(1) && !is_active(0) ? 1 : 0; }

static int find(int number, uint8_t key)
{
    int found = -1;
    for (int at = RECORD; at < BANK; at += RECORD) {
        struct record record;
        memcpy(&record, bank(number) + at, RECORD);
        if (record.key == key && record.check == check_of(record.key, record.value))
            found = record.value;
    }
    return found;
}

static int end_of(int number)
{
    int end = BANK;
    while (end > RECORD) {
        int is_free = 1;
        for (int i = 1; i <= RECORD; i++)
            is_free &= bank(number)[end - i] == 0xff;
        if (!is_free)
            break;
        end -= RECORD;
    }
    return end;
}

static void append(int number, uint8_t key, uint8_t value)
{
    struct record record = {key, value, check_of(key, value), {0}};
    flash_program(bank(number) + end_of(number), &record, RECORD);
}

static void activate(int number)
{
    const uint8_t header[RECORD] = {ACTIVE};
    flash_program(bank(number), header, RECORD);
}

static void collect(void)
{
    // The other bank was erased when it was left.
    int old = active(), new = 1 - old;
    for (uint8_t key = 0; key < KEYS; key++) {
        int value = find(old, key);
        if (value >= 0)
            append(new, key, (uint8_t)value);
    }
    // The new bank takes over before the old one goes: for a moment there are two.
    activate(new);
    flash_erase(bank(old));
}

static void put(uint8_t key, uint8_t value)
{
    if (end_of(active()) == BANK)
        collect();
    append(active(), key, value);
    acknowledged[key] = value;
}

int main(void)
{
    if (!is_active(0) && !is_active(1)) {
        flash_erase(bank(0));
        activate(0);
    }
    for (uint8_t key = 0; key < KEYS; key++) {
        int value = find(active(), key);
        // What was acknowledged is there, or the value that was being written.
        assert(acknowledged[key] == 0 || value == acknowledged[key] || value == acknowledged[key] + 1);
    }
    for (uint8_t value = 1; value <= 4; value++)
        for (uint8_t key = 0; key < KEYS; key++)
            if (acknowledged[key] < value)
                put(key, value);
    return 0;
}
