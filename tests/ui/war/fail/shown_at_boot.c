// The log is applied after the boot has shown the accounts: what a round would have shown gets lost.
#include <brownout.h>

int next_order(void) BROWNOUT_INPUT;
void show(int one, int other) BROWNOUT_OUTPUT();

BROWNOUT_NV int one = 100, other = 100, next_one, next_other;
BROWNOUT_NV volatile char committed;

static void apply(void)
{
    if (committed) {
        one = next_one; //~ ERROR [war] `one`; output "show(96, 100)
        other = next_other;
        committed = 0;
    }
}

int main(void)
{
    show(one, other);
    apply();
    for (;;) {
        int amount = 1 + (next_order() & 3);
        next_one = one - amount;
        next_other = other + amount;
        committed = 1; //~ ERROR [war] `committed`; output "show(100, 100)
        apply();
        show(one, other);
    }
}
