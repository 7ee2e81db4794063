//! EWSN'21 Fig. 3 with the paper's repair: a checkpoint between the return and the call.
//@ nv: stack
void checkpoint(void);

int out;

static void f1(void) {
    checkpoint();
    out = 1;
}

static void f2(void) {
    out = 2;
}

int main(void) {
    f1();
    checkpoint();
    f2();
    return 0;
}
