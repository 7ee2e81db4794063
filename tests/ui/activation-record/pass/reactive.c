//! It runs out of energy before `f2` is called.
//@ nv: stack
//@ policy: reactive
//@ depth: 100
int out, spin;

static void f1(void) {
    out = 1;
}

static void f2(void) {
    out = 2;
}

int main(void) {
    f1();
    for (spin = 0; spin < 200; spin++)
        ;
    f2();
    return 0;
}
