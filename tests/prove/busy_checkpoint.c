//! A checkpoint function that counts: its body is not followed, so nothing is said.
//@ verdict: unknown
//@ reason: `checkpoint` commits, and does more than that
//@ args: --nv symbol:total,symbol:commits
int total, commits;
__attribute__((noinline)) void checkpoint(void) {
    commits++;
}
int main(void) {
    checkpoint();
    total = 1;
    checkpoint();
    return 0;
}
