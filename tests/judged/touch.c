// A touch controller: up to two points, orientation, gestures; big-endian coordinates.
#include <stdbool.h>
#include <stdint.h>

int touch_bus_read(uint8_t reg, uint8_t *data, uint8_t length);
int touch_bus_write(uint8_t reg, uint8_t value);

#define POINTS 2

typedef struct {
    uint16_t x, y;
    uint8_t id, event;
} touch_point_t;

typedef struct {
    uint16_t width, height;
    bool swap_xy, mirror_x, mirror_y;
    uint8_t count;
    touch_point_t points[POINTS];
    uint8_t gesture;
    bool pressed;
    uint16_t presses;
    bool ready;
} touch_t;

static uint16_t swap16(uint16_t value) { return (uint16_t)(value << 8 | value >> 8); }

bool touch_init(touch_t *touch, uint16_t width, uint16_t height) {
    uint8_t id[2];
    if (touch->ready) {
        return true;
    }
    touch->width = width;
    touch->height = height;
    touch->swap_xy = touch->mirror_x = touch->mirror_y = false;
    touch->count = 0;
    touch->gesture = 0;
    touch->pressed = false;
    touch->presses = 0;
    if (touch_bus_read(0xA3, id, 2) != 0) {
        return false;
    }
    if (id[0] != 0x36 && id[0] != 0x64) {
        return false;
    }
    touch_bus_write(0x80, 40);
    touch_bus_write(0x88, 12);
    touch->ready = true;
    return true;
}

void touch_rotate(touch_t *touch, uint8_t quarters) {
    switch (quarters & 3) {
    case 0:
        touch->swap_xy = false;
        touch->mirror_x = false;
        touch->mirror_y = false;
        break;
    case 1:
        touch->swap_xy = true;
        touch->mirror_x = true;
        touch->mirror_y = false;
        break;
    case 2:
        touch->swap_xy = false;
        touch->mirror_x = true;
        touch->mirror_y = true;
        break;
    default:
        touch->swap_xy = true;
        touch->mirror_x = false;
        touch->mirror_y = true;
        break;
    }
}

static void orient(const touch_t *touch, touch_point_t *point) {
    if (touch->swap_xy) {
        uint16_t x = point->x;
        point->x = point->y; //? war touch->points[0..2].x @O0
        point->y = x;
    }
    if (touch->mirror_x) {
        point->x = (uint16_t)(touch->width - 1 - point->x);
    }
    if (touch->mirror_y) {
        point->y = (uint16_t)(touch->height - 1 - point->y);
    }
    if (point->x >= touch->width) {
        point->x = (uint16_t)(touch->width - 1);
    }
    if (point->y >= touch->height) {
        point->y = (uint16_t)(touch->height - 1);
    }
}

bool touch_update(touch_t *touch) {
    uint8_t status;
    uint16_t words[POINTS * 3];
    if (touch_bus_read(0x02, &status, 1) != 0) { //~ repeated-input touch->count
        return false;
    }
    uint8_t count = status & 0x0F;
    if (count > POINTS) {
        count = 0;
    }
    if (touch_bus_read(0x03, (uint8_t *)words, sizeof words) != 0) { //~ repeated-input touch->count
        return false;
    }
    for (uint8_t i = 0; i < POINTS * 3; i++) {
        words[i] = swap16(words[i]);
    }
    touch->count = count;
    for (uint8_t i = 0; i < POINTS; i++) {
        touch_point_t *point = &touch->points[i];
        point->event = (uint8_t)(words[i * 3] >> 14);
        point->x = words[i * 3] & 0x0FFF; //? war touch->points[0..2].x @O0
        point->y = words[i * 3 + 1] & 0x0FFF;
        point->id = (uint8_t)(words[i * 3 + 1] >> 12);
        orient(touch, point);
    }
    bool pressed = count > 0;
    if (pressed && !touch->pressed) { //~ repeated-input touch->presses
        touch->presses++; //~ war touch->presses
    }
    touch->pressed = pressed; //~ war touch->pressed
    return true;
}

uint8_t touch_gesture(touch_t *touch) {
    uint8_t gesture = 0;
    if (touch_bus_read(0x01, &gesture, 1) == 0 && gesture != 0) { //~ repeated-input touch->gesture
        touch->gesture = gesture;
    }
    return gesture;
}
