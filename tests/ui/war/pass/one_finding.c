//! The variables are saved.
//@ policy: reactive
//@ set: power.saves=["a", "b"]
//@ findings: war 0
int a, b;

int main(void) {
    a = a + 1;
    b = b + a;
    a = a + b;
    return 0;
}
