//! Who declares `brownout_checkpoint_with` himself means the one of `brownout.h`: it saves what it is given.
#define NV __attribute__((section(".fram")))
void brownout_checkpoint_with(const void *from, unsigned size, ...);
NV unsigned count;
int main(void) {
    for (int i = 0; i < 4; i++) {
        brownout_checkpoint_with(&count, sizeof count);
        count++;
    }
    return 0;
}
