//! The same, which saves another variable.
#define NV __attribute__((section(".fram")))
void brownout_checkpoint_with(const void *from, unsigned size, ...);
NV unsigned count, other;
int main(void) {
    for (int i = 0; i < 4; i++) {
        brownout_checkpoint_with(&other, sizeof other);
        count++; //~ ERROR [war] `count`; confirmed; `count` = 2 instead of 1
    }
    return 0;
}
