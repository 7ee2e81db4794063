//! The input function is called through a pointer in a structure; the result is stored.
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
    alarm = sensor->read() > sensor->limit;
    return 0;
}
