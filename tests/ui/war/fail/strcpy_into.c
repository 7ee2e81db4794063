//! A string is copied away, then replaced.
#include <brownout.h>
#include <string.h>

char name[8] = "old";
char previous[8];

int main(void) {
    brownout_checkpoint();
    strcpy(previous, name); //~ NOTE [war] read here
    strcpy(name, "new"); //~ ERROR [war] `name; `previous[0]` = 'n' instead of 'o'
    return 0;
}
