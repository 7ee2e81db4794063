//! EWSN'21 Fig. 3: a checkpoint in `f1`; its return address is overwritten by the call of `f2`.
//@ nv: stack
void checkpoint(void);

int out;

static void f1(void) {
    checkpoint();
    out = 1;
} //~ NOTE [activation-record] used here

static void f2(void) {
    out = 2;
}

int main(void) {
    f1();
    f2(); //~ ERROR [activation-record] `return address of f1`; crash wild-jump
    return 0;
}
