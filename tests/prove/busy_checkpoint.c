//! A checkpoint function that counts in its own body: a power failure counts once more.
//@ verdict: counterexample
//@ finding: war commits
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
