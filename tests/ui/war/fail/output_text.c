//! The program prints another number after a failure.
#include <brownout.h>
#include <stdio.h>

int number = 7;

int main(void) {
    brownout_checkpoint();
    int n = number; //~ NOTE [war] read here
    number = n + 1; //~ ERROR [war] `number`; output "8\n" instead of "7\n"; `number` = 9 instead of 8
    printf("%d\n", n);
    return 0;
}
