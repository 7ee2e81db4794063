// A redo log. The device shows its accounts when it boots, too: a boot that applies the log shows what the round would have.
#include <brownout.h>

int next_order(void) BROWNOUT_INPUT;
void show(int one, int other) BROWNOUT_OUTPUT();

BROWNOUT_NV int one = 100, other = 100, next_one, next_other;
BROWNOUT_NV volatile char committed;

static void apply(void)
{
    if (committed) {
        one = next_one;
        other = next_other;
        committed = 0;
    }
}

int main(void)
{
    apply();
    show(one, other);
    for (;;) {
        int amount = 1 + (next_order() & 3);
        next_one = one - amount;
        next_other = other + amount;
        committed = 1;
        apply();
        show(one, other);
    }
}
