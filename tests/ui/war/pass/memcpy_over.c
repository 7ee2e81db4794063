//! A checkpoint between the two copies.
#include <brownout.h>
#include <string.h>

char state[8] = "old one";
char backup[8];
char fresh[8] = "new all";

int main(void) {
    brownout_checkpoint();
    memcpy(backup, state, sizeof state);
    brownout_checkpoint();
    memcpy(state, fresh, sizeof state);
    return 0;
}
