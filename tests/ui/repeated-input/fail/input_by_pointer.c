//! The input function is called through a pointer in a structure.
//@ args: --static
#include <brownout.h>

int read_inside(void) BROWNOUT_INPUT;
int read_outside(void) BROWNOUT_INPUT;

struct sensor {
    int (*read)(void);
    int limit;
};

static const struct sensor sensors[] = {{read_inside, 20}, {read_outside, 35}};

int selected;
int alarm;

int main(void) {
    brownout_checkpoint();
    const struct sensor *sensor = &sensors[selected & 1];
    if (sensor->read() > sensor->limit) { //~ ERROR [repeated-input] whether `alarm` is written
        alarm = 1;
    }
    return 0;
}
