//! Weak defaults overridden by strong definitions in another file (overriding part).
int untouched(int);
int config = 77;
int handler(int x);
int handler(int x) { return x + 1000; }
const char *banner(void);
const char *banner(void) { return "override"; }
int via_b(int x);
int via_b(int x) { return untouched(x) + handler(x) % 7 + config % 11; }
int optional(void);
int optional(void) { return 42; }
