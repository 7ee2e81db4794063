//! Flags that are set before everything is done, whose work is undone on the way, or whose callers are told otherwise.
//@ args: --static
#include <brownout.h>
#include <stdbool.h>

int read_id(void) BROWNOUT_INPUT;
void command(int code) BROWNOUT_OUTPUT(absolute);

bool early, undone, told, fresh;
int width, kept;

void set_early(void) {
    if (!early) {
        early = true; //~ ERROR [war] `early`
        command(1);
    }
}

void set_undone(void) {
    width = 0;
    if (!undone) {
        width = 7;
        undone = true; //~ ERROR [war] `undone`
    }
}

bool is_first(void) {
    if (told) {
        return false;
    }
    told = true; //~ ERROR [war] `told`
    return true;
}

void set_fresh(void) {
    int id = read_id();
    if (!fresh) {
        kept = id;
        fresh = true; //~ ERROR [war] `fresh`
    }
}

int main(void) {
    brownout_checkpoint();
    set_early();
    brownout_checkpoint();
    set_undone();
    brownout_checkpoint();
    command(is_first());
    brownout_checkpoint();
    set_fresh();
    return 0;
}
