/* annotations.c: every spelling of brownout.h must compile, annotated and bare,
 * as C and as C++. */
#include <brownout.h>

BROWNOUT_NV int count;
static BROWNOUT_NV int table[4] = {1, 2, 3, 4};
int read_temp(void) BROWNOUT_INPUT;
BROWNOUT_INPUT int read_other(void);
void rotate(int degrees) BROWNOUT_OUTPUT(relative);
void point_to(int degrees) BROWNOUT_OUTPUT(absolute);
BROWNOUT_OUTPUT() void send(int value);
BROWNOUT_MOST_RECENT int recent;
BROWNOUT_LONG_TERM int term;

int work(void);
int work(void) {
    BROWNOUT_INTERMITTENCE_AWARE int aware = read_temp();
    brownout_checkpoint();
    brownout_checkpoint_with(&count, sizeof count);
    brownout_checkpoint_with(&count, sizeof count, table, 2 * sizeof table[0]);
    brownout_checkpoint_with(&count, 1, &count, 2, &count, 1, &count, 2, &count, 1, &count, 2,
                             &count, 1, &count, 2);
    brownout_atomic_begin();
    rotate(aware);
    brownout_atomic_end();
    return read_other() + table[0];
}
