// An accelerometer whose library gives three axes at once, and its temperature if somebody wants it.
#include <stdbool.h>
#include <stdint.h>

struct axes_options { uint8_t rate, range; };
void axes_get(const struct axes_options *options, int16_t *x, int16_t *y, int32_t *z, float *celsius);

static const struct axes_options options = {10, 2};
static struct {
    bool fallen;
    int16_t x;
} tilt;

void tilt_update(void) {
    int16_t x, y;
    int32_t z;
    axes_get(&options, &x, &y, &z, 0);
    tilt.x = x;
#ifdef MENDED
    tilt.fallen = x > 700;
#else
    if (x > 700) { //~ repeated-input tilt.fallen
        tilt.fallen = true;
    }
#endif
}

bool tilt_fallen(void) { return tilt.fallen; }
int16_t tilt_x(void) { return tilt.x; }
