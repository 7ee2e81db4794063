//! A queue whose oldest sample is sent once in each round until an answer comes: a failure takes one repetition away.
//@ policy: restart
#include <brownout.h>

enum { PLACES = 16 };

BROWNOUT_NV volatile unsigned queue[PLACES], head, tail;

int measure(void) BROWNOUT_INPUT_RANGE(0, 99);
int answer(void) BROWNOUT_INPUT_RANGE(0, 1);
void send(unsigned number, unsigned value) BROWNOUT_OUTPUT();

int main(void) {
    for (;;) {
        if (head - tail < PLACES) {
            queue[head % PLACES] = measure();
            head = head + 1;
        }
        if (tail != head) {
            send(tail, queue[tail % PLACES]);
            if (answer()) {
                tail = tail + 1;
            }
        }
    }
}
