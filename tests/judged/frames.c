// Reception on a CAN controller: an interrupt puts frames into a ring, filters, error states.
#include <stdbool.h>
#include <stdint.h>

uint32_t can_reg_read(uint16_t offset);
void can_reg_write(uint16_t offset, uint32_t value);

#define RING 8
#define FILTERS 4

struct can_frame {
    uint32_t id;
    uint8_t length;
    bool extended;
    uint8_t data[8];
};

static struct can_frame ring[RING];
static volatile uint8_t head, tail;
static volatile uint16_t lost;
static struct {
    uint32_t id, mask;
    bool used;
} filters[FILTERS];
static volatile uint8_t receive_errors, transmit_errors;
static volatile bool bus_off;
static uint16_t bus_off_count;
static uint32_t bitrate;

bool can_set_bitrate(uint32_t clock, uint32_t rate) {
    if (rate == 0) {
        return false;
    }
    uint32_t quanta = clock / rate;
    uint8_t prescaler = 1;
    while (quanta > 25 && prescaler < 64) {
        prescaler++;
        quanta = clock / rate / prescaler;
    }
    if (quanta < 8 || quanta > 25) {
        return false;
    }
    can_reg_write(0x1C, (uint32_t)(prescaler - 1) << 16 | (quanta - 3));
    bitrate = rate;
    return true;
}

int can_add_filter(uint32_t id, uint32_t mask) {
    for (int i = 0; i < FILTERS; i++) {
        if (!filters[i].used) {
            filters[i].id = id;
            filters[i].mask = mask;
            filters[i].used = true; //~ war filters[0..4].used
            can_reg_write((uint16_t)(0x200 + 8 * i), id & mask);
            return i;
        }
    }
    return -1;
}

void can_remove_filter(int index) {
    if (index >= 0 && index < FILTERS) {
        filters[index].used = false;
    }
}

static bool accepted(uint32_t id) {
    bool any = false;
    for (int i = 0; i < FILTERS; i++) {
        if (filters[i].used) {
            any = true;
            if ((id & filters[i].mask) == (filters[i].id & filters[i].mask)) { //~ repeated-input head @O1
                return true;
            }
        }
    }
    return !any;
}

void can_rx_interrupt(void) {
    while (can_reg_read(0x0C) & 3) { //~ repeated-input head
        struct can_frame frame;
        uint32_t word = can_reg_read(0x1B0);
        frame.extended = word & 4;
        frame.id = frame.extended ? word >> 3 : word >> 21;
        frame.length = can_reg_read(0x1B4) & 0x0F;
        if (frame.length > 8) {
            frame.length = 8;
        }
        uint32_t low = can_reg_read(0x1B8), high = can_reg_read(0x1BC);
        for (uint8_t i = 0; i < 4; i++) {
            frame.data[i] = (uint8_t)(low >> 8 * i);
            frame.data[i + 4] = (uint8_t)(high >> 8 * i);
        }
        can_reg_write(0x0C, 0x20);
        if (!accepted(frame.id)) { //~ repeated-input head @O0
            continue;
        }
        uint8_t next = (uint8_t)((head + 1) % RING);
        if (next == tail) { //~ repeated-input head
            lost++; //~ war lost
            continue;
        }
        ring[head] = frame; //~ tainted-address ring
        head = next; //~ war head
    }
}

bool can_receive(struct can_frame *out) {
    if (head == tail) {
        return false;
    }
    *out = ring[tail];
    tail = (uint8_t)((tail + 1) % RING); //~ war tail
    return true;
}

void can_error_interrupt(void) {
    uint32_t status = can_reg_read(0x18);
    receive_errors = (uint8_t)(status >> 24);
    transmit_errors = (uint8_t)(status >> 16);
    if (status & 4) { //~ repeated-input bus_off
        if (!bus_off) {
            bus_off = true; //~ war bus_off
            bus_off_count++; //~ war bus_off_count
        }
    } else {
        bus_off = false;
    }
}

uint16_t can_lost(void) { return lost; }
uint16_t can_bus_offs(void) { return bus_off_count; }
uint8_t can_errors(void) { return receive_errors > transmit_errors ? receive_errors : transmit_errors; }
uint32_t can_bitrate(void) { return bitrate; }
