//! An undo log is harmless, but not repeatable: after the log is closed, the next boot adds again.
//@ verdict: unknown
//@ reason: not repeatable
#include <brownout.h>
BROWNOUT_NV int balance, entries, old_balance, old_entries;
BROWNOUT_NV int open;
int main(void) {
    if (open) {
        balance = old_balance;
        entries = old_entries;
        open = 0;
    }
    old_balance = balance;
    old_entries = entries;
    open = 1;
    balance = balance + 5;
    entries = entries + 1;
    open = 0;
    return 0;
}
