//! The flag is set before the work is done.
//@ policy: reactive
//@ depth: 200
int ready;
int table;

int main(void) {
    if (!ready) { //~ NOTE [war] read here
        ready = 1; //~ ERROR [war] `ready`; `table` = 0 instead of 7
        table = 7;
    }
    for (int i = 0; i < 100; i++)
        ;
    return 0;
}
