//! A device that makes checkpoints itself may do so right before `f1` returns.
//@ nv: stack
//@ policy: reactive
//@ depth: 100
int out, spin;

static void f1(void) {
    out = 1;
} //~ NOTE [activation-record] used here

static void f2(void) {
    out = 2;
}

int main(void) {
    f1();
    for (spin = 0; spin < 2; spin++)
        ;
    f2(); //~ ERROR [activation-record] `return address of f1`; crash wild-jump
    return 0;
}
