//! Cases that fall through write more or less of three variables.
//@ args: --static
#include <brownout.h>

int read_keypad(void) BROWNOUT_INPUT;

int lamp, buzzer, lock;

int main(void) {
    brownout_checkpoint();
    switch (read_keypad()) { //~ ERROR [repeated-input] whether `buzzer`, `lamp` and `lock` are written
    case 3:
        lock = 1;
        /* fall through */
    case 2:
        buzzer = 1;
        /* fall through */
    case 1:
        lamp = 1;
    }
    return 0;
}
