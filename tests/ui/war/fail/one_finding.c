//! Statements that read and overwrite the same variables are one finding for each variable.
//@ policy: reactive
//@ findings: war 2
int a, b;

int main(void) {
    a = a + 1; //~ ERROR [war] `a`; `a` = 4 instead of 2
    b = b + a; //~ ERROR [war] `b`; `b` = 2 instead of 1
    a = a + b; //~ ERROR [war] `a`; `a` = 7 instead of 2
    //~| ERROR [war] `a`; `a` = 4 instead of 2
    //~| ERROR [war] `a`; `a` = 3 instead of 2
    return 0;
}
