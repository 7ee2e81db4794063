//! What was written is not read back.
//@ policy: reactive
//@ depth: 200
int level;
int seen;

int main(void) {
    level = 1;
    seen = 1;
    level = 2;
    return 0;
}
