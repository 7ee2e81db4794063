//! The number is saved.
#include <brownout.h>
#include <stdio.h>

int number = 7;

int main(void) {
    brownout_checkpoint_with(&number, sizeof number);
    int n = number;
    number = n + 1;
    printf("%d\n", n);
    return 0;
}
