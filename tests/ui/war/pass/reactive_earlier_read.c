//! No read does.
//@ policy: reactive
//@ depth: 500
int level = 1;
int seen;

int main(void) {
    int t = 0;
    for (int i = 0; i < 2; i++) {
        t = level;
        if (i == 0)
            seen = i;
    }
    t = 0;
    level = 5; //~ NOTE [war] benign
    return 0;
}
