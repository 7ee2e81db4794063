//! The last read before the write does no harm, the one before it does: a checkpoint may sit before each.
//@ policy: reactive
//@ depth: 500
int level = 1;
int seen;

int main(void) {
    int t = 0;
    for (int i = 0; i < 2; i++) {
        t = level; //~ NOTE [war] read here
        if (i == 0)
            seen = t;
    }
    t = 0;
    level = 5; //~ ERROR [war] `level`; `seen` = 5 instead of 1
    return 0;
}
