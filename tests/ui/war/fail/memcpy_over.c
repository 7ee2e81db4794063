//! The library's copies count: read by one `memcpy`, overwritten by the next.
//@ config: [memory]
//@ config: atomic-write = "any"
#include <brownout.h>
#include <string.h>

char state[8] = "old one";
char backup[8];
char fresh[8] = "new all";

int main(void) {
    brownout_checkpoint();
    memcpy(backup, state, sizeof state); //~ NOTE [war] read here
    memcpy(state, fresh, sizeof state); //~ ERROR [war] `state; `backup[0]` = 'n' instead of 'o'
    return 0;
}
