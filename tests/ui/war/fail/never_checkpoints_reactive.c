//! A program without checkpoints is taken to run on a device that makes them itself.
//@ policy: reactive
int runs = 3;

int main(void) {
    runs = runs + 1; //~ ERROR [war] `runs`; `runs` = 5 instead of 4
    return 0;
}
