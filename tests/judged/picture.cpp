// A monochrome display: a frame buffer, drawing, a dirty rectangle, contrast from an ambient light sensor.
#include <stdint.h>
#include <string.h>

uint16_t light_read();
void bus_command(uint8_t command);
void bus_data(const uint8_t *data, uint16_t length);

class Picture {
public:
    static const uint8_t Width = 64, Height = 32;
    void begin();
    void clear();
    void pixel(uint8_t x, uint8_t y, bool on);
    void toggle(uint8_t x, uint8_t y);
    void line(uint8_t x, uint8_t y, uint8_t length);
    void text(uint8_t column, uint8_t row, const char *string);
    void show();
    void adapt();
    void invert(bool on);
    void night(bool on) { night_mode = on; }

private:
    uint8_t frame[Width * Height / 8];
    uint8_t first = 0, last = 0;
    uint8_t contrast = 0;
    bool dirty = false;
    bool inverted = false;
    bool night_mode = false;
    void touch(uint8_t page);
};

static const uint8_t font[4][3] = {{0x1F, 0x11, 0x1F}, {0x00, 0x1F, 0x00}, {0x1D, 0x15, 0x17}, {0x15, 0x15, 0x1F}};

void Picture::begin() {
    static const uint8_t sequence[] = {0xAE, 0xA8, 0x1F, 0xD3, 0x00, 0x40, 0xA1, 0xC8, 0x8D, 0x14, 0xAF};
    for (uint8_t command : sequence) {
        bus_command(command);
    }
    clear();
    contrast = 0x7F;
    inverted = false;
}

void Picture::clear() {
    memset(frame, 0, sizeof frame);
    first = 0;
    last = Height / 8 - 1;
    dirty = true;
}

void Picture::touch(uint8_t page) {
    if (!dirty) {
        first = last = page;
        dirty = true; //? war this->dirty
        return;
    }
    if (page < first) {
        first = page;
    }
    if (page > last) {
        last = page;
    }
}

void Picture::pixel(uint8_t x, uint8_t y, bool on) {
    if (x >= Width || y >= Height) {
        return;
    }
    uint8_t mask = (uint8_t)(1 << (y & 7));
    if (on) {
        frame[x + (y / 8) * Width] |= mask;
    } else {
        frame[x + (y / 8) * Width] &= (uint8_t)~mask;
    }
    touch(y / 8);
}

void Picture::toggle(uint8_t x, uint8_t y) {
    if (x >= Width || y >= Height) {
        return;
    }
    frame[x + (y / 8) * Width] ^= (uint8_t)(1 << (y & 7)); //~ war this->frame
    touch(y / 8);
}

void Picture::line(uint8_t x, uint8_t y, uint8_t length) {
    for (uint8_t i = 0; i < length; i++) {
        pixel((uint8_t)(x + i), y, true);
    }
}

void Picture::text(uint8_t column, uint8_t row, const char *string) {
    for (; *string; string++) {
        uint8_t glyph = (uint8_t)(*string - '0');
        if (glyph < 4 && column + 3 < Width && row < Height / 8) {
            memcpy(&frame[column + row * Width], font[glyph], 3);
            touch(row);
        }
        column = (uint8_t)(column + 4);
    }
}

void Picture::show() {
    if (!dirty) {
        return;
    }
    bus_command((uint8_t)(0xB0 | first));
    bus_data(&frame[first * Width], (uint16_t)((last - first + 1) * Width));
    dirty = false;
}

void Picture::adapt() {
    uint16_t light = light_read();
    uint8_t wanted = (uint8_t)(light >> 2);
    if (wanted < 8) {
        wanted = 8;
    }
    if (night_mode && wanted > 64) {
        wanted = 64;
    }
    if (wanted != contrast) { //~ repeated-input this->contrast
        contrast = wanted; //~ war this->contrast
        bus_command(0x81);
        bus_command(contrast);
    }
}

void Picture::invert(bool on) {
    if (inverted == on) {
        return;
    }
    inverted = on; //~ war this->inverted
    bus_command(on ? 0xA7 : 0xA6);
}
