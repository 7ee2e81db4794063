//! Nothing that is read is written later.
//@ policy: reactive
int runs = 3;
int next;

int main(void) {
    next = runs + 1;
    return 0;
}
