//! One sum for each boot. A failure adds one number twice: that result is wrong, although the next boot puts it right.
//@ policy: restart
__attribute__((section(".nv"))) volatile int number, sum, result;

int main(void) {
    while (number < 3) {
        sum = sum + number * number + 1; //~ ERROR [war]
        number = number + 1;
    }
    result = sum;
    sum = 0; //~ ERROR [war]
    number = 0;
    return 0;
}
