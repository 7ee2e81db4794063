//! Replaced in the next region.
#include <brownout.h>
#include <string.h>

char name[8] = "old";
char previous[8];

int main(void) {
    brownout_checkpoint();
    strcpy(previous, name);
    brownout_checkpoint();
    strcpy(name, "new");
    return 0;
}
