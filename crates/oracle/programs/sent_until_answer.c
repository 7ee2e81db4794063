//! Each boot adds a job and sends the number of the oldest one, until an answer to that comes. A failure takes one repetition
//! away.
//@ restart fresh: harmless
//@ restart: harmless
//@ input answer: 0 1 1 0 1 0 0 1 1 0 0 1 0 1 1
#include <brownout.h>

int answer(void) BROWNOUT_INPUT;
void send(int number) BROWNOUT_OUTPUT();

BROWNOUT_NV volatile unsigned jobs, done;

int main(void) {
    jobs = jobs + 1;
    send(done);
    if (answer() % 2 == 1) {
        done = done + 1;
    }
    return 0;
}
