//! Both reads come after the write.
#include <brownout.h>

int level = 1;
int first, second;

int main(void) {
    brownout_checkpoint();
    level = 2;
    first = level;
    second = level;
    return 0;
}
