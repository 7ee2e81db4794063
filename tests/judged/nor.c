// Serial NOR flash: identification, reading, page programming, erasing.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nor_bus {
    int (*transfer)(void *user, const uint8_t *out, size_t out_length, uint8_t *in, size_t in_length);
    void (*wait_us)(uint32_t microseconds);
    void *user;
};

struct nor {
    const struct nor_bus *bus;
    uint8_t manufacturer;
    uint16_t device;
    uint32_t size;
    uint32_t erased_blocks;
    bool ready;
    bool locked;
};

#define PAGE 256
#define SECTOR 4096
#define STATUS_BUSY 0x01
#define STATUS_WEL 0x02

static int command(struct nor *nor, uint8_t code) {
    return nor->bus->transfer(nor->bus->user, &code, 1, NULL, 0);
}

static int read_status(struct nor *nor, uint8_t *status) {
    uint8_t code = 0x05;
    return nor->bus->transfer(nor->bus->user, &code, 1, status, 1);
}

static int wait_idle(struct nor *nor, uint32_t step, uint32_t tries) {
    uint8_t status;
    while (tries--) {
        int rc = read_status(nor, &status);
        if (rc < 0) {
            return rc;
        }
        if (!(status & STATUS_BUSY)) {
            return 0;
        }
        nor->bus->wait_us(step);
    }
    return -5;
}

static int write_enable(struct nor *nor) {
    uint8_t status;
    int rc = command(nor, 0x06);
    if (rc < 0) {
        return rc;
    }
    rc = read_status(nor, &status);
    if (rc < 0) {
        return rc;
    }
    return status & STATUS_WEL ? 0 : -6;
}

int nor_probe(struct nor *nor, const struct nor_bus *bus) {
    uint8_t code = 0x9F;
    uint8_t id[3];
    nor->bus = bus;
    nor->ready = false;
    nor->locked = false;
    nor->erased_blocks = 0;
    int rc = bus->transfer(bus->user, &code, 1, id, sizeof id);
    if (rc < 0) { //~ repeated-input nor->device
        return rc;
    }
    if (id[0] == 0x00 || id[0] == 0xFF) { //~ repeated-input nor->device
        return -1;
    }
    nor->manufacturer = id[0];
    nor->device = (uint16_t)(id[1] << 8 | id[2]);
    if (id[2] < 0x10 || id[2] > 0x18) { //~ repeated-input nor->size
        return -2;
    }
    nor->size = (uint32_t)1 << id[2];
    nor->ready = true;
    return 0;
}

int nor_read(struct nor *nor, uint32_t address, uint8_t *data, size_t length) {
    uint8_t head[4] = {0x03, (uint8_t)(address >> 16), (uint8_t)(address >> 8), (uint8_t)address};
    if (!nor->ready || address + length > nor->size) {
        return -1;
    }
    return nor->bus->transfer(nor->bus->user, head, sizeof head, data, length);
}

int nor_program(struct nor *nor, uint32_t address, const uint8_t *data, size_t length) {
    uint8_t frame[4 + PAGE];
    if (!nor->ready || nor->locked) {
        return -1;
    }
    while (length > 0) {
        size_t room = PAGE - (size_t)(address % PAGE);
        size_t now = length < room ? length : room;
        int rc = write_enable(nor);
        if (rc < 0) {
            return rc;
        }
        frame[0] = 0x02;
        frame[1] = (uint8_t)(address >> 16);
        frame[2] = (uint8_t)(address >> 8);
        frame[3] = (uint8_t)address;
        for (size_t i = 0; i < now; i++) {
            frame[4 + i] = data[i];
        }
        rc = nor->bus->transfer(nor->bus->user, frame, 4 + now, NULL, 0);
        if (rc < 0) {
            return rc;
        }
        rc = wait_idle(nor, 50, 100);
        if (rc < 0) {
            return rc;
        }
        address += now;
        data += now;
        length -= now;
    }
    return 0;
}

int nor_erase_sector(struct nor *nor, uint32_t address) {
    uint8_t head[4] = {0x20, (uint8_t)(address >> 16), (uint8_t)(address >> 8), (uint8_t)address};
    if (!nor->ready || address % SECTOR != 0) {
        return -1;
    }
    int rc = write_enable(nor);
    if (rc < 0) { //~ repeated-input nor->erased_blocks
        return rc;
    }
    rc = nor->bus->transfer(nor->bus->user, head, sizeof head, NULL, 0);
    if (rc < 0) { //~ repeated-input nor->erased_blocks
        return rc;
    }
    rc = wait_idle(nor, 1000, 400);
    if (rc == 0) { //~ repeated-input nor->erased_blocks
        nor->erased_blocks++; //~ war nor->erased_blocks
    }
    return rc;
}

int nor_lock(struct nor *nor) {
    int rc = command(nor, 0x36);
    if (rc < 0) { //~ repeated-input nor->locked
        return rc;
    }
    nor->locked = true;
    return 0;
}
