//! Saved.
#include <brownout.h>

float average = 4.0f;

int main(void) {
    brownout_checkpoint_with(&average, sizeof average);
    average = average * 0.5f + 1.0f;
    return 0;
}
