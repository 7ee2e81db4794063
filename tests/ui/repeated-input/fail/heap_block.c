//! A block of the non-volatile heap is written on one side.
//@ args: --static
//@ nv: globals,heap
#include <brownout.h>
#include <stdlib.h>

int read_adc(void) BROWNOUT_INPUT;

struct entry {
    int level;
    int flag;
};

int result;

int main(void) {
    struct entry *entry = malloc(sizeof *entry);
    if (!entry) {
        return 1;
    }
    entry->flag = 0;
    brownout_checkpoint();
    entry->level = read_adc();
    if (entry->level > 7) { //~ ERROR [repeated-input] is written
        entry->flag = 1;
    }
    result = entry->flag;
    return 0;
}
