//! The angle is saved.
#include <brownout.h>

void rotate(int degrees) BROWNOUT_OUTPUT(absolute);

BROWNOUT_NV int angle = 30;

int main(void) {
    brownout_checkpoint_with(&angle, sizeof angle);
    int a = angle;
    angle = a + 15;
    rotate(a);
    return 0;
}
