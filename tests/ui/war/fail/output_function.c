//! An actuator gets another command after a failure.
#include <brownout.h>

void rotate(int degrees) BROWNOUT_OUTPUT(absolute);

int angle = 30;

int main(void) {
    brownout_checkpoint();
    int a = angle; //~ NOTE [war] read here
    angle = a + 15; //~ ERROR [war] `angle`; output; `angle` = 60 instead of 45
    rotate(a);
    return 0;
}
