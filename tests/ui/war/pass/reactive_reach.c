//! Between the read and the write it executes more than it can after a checkpoint.
//@ policy: reactive
//@ depth: 200
int level = 1;
int seen;

int main(void) {
    seen = level;
    for (int i = 0; i < 200; i++)
        ;
    level = 2;
    return 0;
}
