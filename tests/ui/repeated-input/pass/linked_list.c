//! A walk over a list marks all elements, and notes what the reading says in each.
//@ args: --static
#include <brownout.h>

int read_adc(void) BROWNOUT_INPUT;

struct item {
    struct item *next;
    int limit;
    int marked;
};

static struct item third = {0, 30, 0};
static struct item second = {&third, 20, 0};
static struct item first = {&second, 10, 0};
int count;

int main(void) {
    brownout_checkpoint();
    int level = read_adc();
    first.marked = second.marked = third.marked = 0;
    for (struct item *item = &first; item; item = item->next) {
        if (level > item->limit) {
            item->marked = 1;
        }
    }
    count = first.marked + second.marked + third.marked;
    return 0;
}
