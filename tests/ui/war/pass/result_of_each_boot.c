//! One sum for each boot, begun anew by each: whatever a failure leaves is put right before it is read.
//@ policy: restart
__attribute__((section(".nv"))) volatile int number, sum, result;

int main(void) {
    number = 0;
    sum = 0;
    while (number < 3) {
        sum = sum + number * number + 1;
        number = number + 1;
    }
    result = sum;
    return 0;
}
