//! EWSN'21 Fig. 1: `a` in NVM is read, incremented and written back after a checkpoint.
void checkpoint(void);

int a = 1;

int main(void) {
    checkpoint();
    int i = a; //~ NOTE [war] read here
    i = i + 1;
    a = i; //~ ERROR [war] `a`; confirmed; `a` = 3 instead of 2
    return 0;
}
