//! A device that makes checkpoints itself fails before it has executed 200 instructions more.
//@ policy: reactive
//@ depth: 200
int level = 1;
int seen;

int main(void) {
    seen = level; //~ NOTE [war] read here
    for (int i = 0; i < 2; i++)
        ;
    level = 2; //~ ERROR [war] `level`; `seen` = 2 instead of 1
    return 0;
}
