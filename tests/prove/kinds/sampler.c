//! A player of notes: events are put into a ring, and taken out of it to be played.
#include <brownout.h>
int event(void) BROWNOUT_INPUT;
void play(int note) BROWNOUT_OUTPUT(absolute);
BROWNOUT_NV unsigned char notes[16];
BROWNOUT_NV unsigned char head, tail;
BROWNOUT_NV unsigned char status;
int main(void) {
    for (;;) {
        brownout_checkpoint();
        unsigned char note = event();
        notes[head & 15] = note & 127;
        if (note & 128)
            head = head + 1;
        brownout_checkpoint();
        status |= 1;
        if (tail != head) {
            play(notes[tail & 15]);
            tail = tail + 1;
        }
        status &= ~1;
    }
}
