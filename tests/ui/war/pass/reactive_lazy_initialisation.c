//! The flag is set last. The two executions meet again, a few instructions apart.
//@ policy: reactive
//@ depth: 200
int ready;
int table;

int main(void) {
    if (!ready) {
        table = 7;
        ready = 1; //~ NOTE [war] benign
    }
    for (int i = 0; i < 100; i++)
        ;
    return 0;
}
