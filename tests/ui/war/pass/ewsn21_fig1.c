//! EWSN'21 Fig. 1 with the paper's repair: a checkpoint between the read and the write.
void checkpoint(void);

int a = 1;

int main(void) {
    checkpoint();
    int i = a;
    i = i + 1;
    checkpoint();
    a = i;
    return 0;
}
