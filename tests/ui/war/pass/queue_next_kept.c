//! Where the queue goes on is kept before an element is taken off, and never read before it is written again.
//@ policy: restart
#include <brownout.h>

BROWNOUT_NV volatile int item[4];
BROWNOUT_NV volatile char head, tail, next;

int event(void) BROWNOUT_INPUT_RANGE(0, 9);
int ready(void) BROWNOUT_INPUT_RANGE(0, 1);
void handle(int event) BROWNOUT_OUTPUT();

int main(void) {
    for (;;) {
        int happened = event();
        if (happened && (tail + 1) % 4 != head) {
            item[tail] = happened;
            tail = (tail + 1) % 4;
        }
        if (ready() && head != tail) {
            next = (head + 1) % 4;
            handle(item[head]);
            head = next;
        }
    }
}
