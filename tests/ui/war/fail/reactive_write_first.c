//! To write before reading is no help where a checkpoint may come in between.
//@ policy: reactive
//@ depth: 200
int level;
int seen;

int main(void) {
    level = 1;
    seen = level; //~ NOTE [war] read here
    level = 2; //~ ERROR [war] `level`; `seen` = 2 instead of 1
    return 0;
}
