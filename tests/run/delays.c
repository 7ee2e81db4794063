/* Loops that only count, with bounds that are constants or variables, in all shapes: where the counter is afterwards. */
#include <stdio.h>

static void nothing(void) {}

static unsigned upwards(unsigned from, unsigned to) {
    volatile unsigned i;
    for (i = from; i < to; i++) {
        nothing();
    }
    return i;
}

static unsigned not_equal(unsigned from, unsigned to) {
    volatile unsigned i = from;
    while (i != to) {
        i++;
    }
    return i;
}

static int with_sign(int from, int to) {
    volatile int i;
    for (i = from; to > i; ++i) {
    }
    return i;
}

static int inclusive(int from, int to) {
    volatile int i;
    for (i = from; i <= to; i++) {
    }
    return i;
}

static int downwards(int from, int to) {
    volatile int i;
    for (i = from; i > to; i--) {
    }
    return i;
}

static int down_inclusive(int from, int to) {
    volatile int i;
    for (i = from; i >= to; --i) {
    }
    return i;
}

static unsigned until_zero(unsigned n) {
    volatile unsigned left = n;
    while (left--) {
    }
    return left;
}

static unsigned until_zero_first(unsigned n) {
    volatile unsigned left = n;
    while (--left) {
    }
    return left;
}

static int once_at_least(int from, int to) {
    volatile int i = from;
    do {
        i++;
    } while (i < to);
    return i;
}

static int once_at_least_constant(int from) {
    volatile int i = from;
    do {
        ++i;
    } while (i < 10);
    return i;
}

static int late(int from, int to) {
    volatile int i = from;
    while (i++ < to) {
    }
    return i;
}

static int late_downwards(int from, int to) {
    volatile int i = from;
    while (i-- > to) {
    }
    return i;
}

static unsigned long bound_changes(unsigned long n) {
    volatile unsigned long i, bound = n;
    for (i = 0; i < bound; i++) {
        bound = n - 1;
    }
    return i + bound;
}

static int two_counters(int n) {
    volatile int i, other = 0;
    for (i = 0; i < n; i++) {
        other++;
    }
    return i * 100 + other;
}

static int bound_counts(int n) {
    volatile int i = 0, bound = n;
    while (i < bound) {
        bound--;
    }
    return bound;
}

static unsigned widened(unsigned char from) {
    volatile unsigned char i;
    for (i = from; i < 200; i++) {
    }
    return i;
}

static int widened_with_sign(signed char from) {
    volatile signed char i;
    for (i = from; i < 100; ++i) {
    }
    return i;
}

static unsigned widened_inclusive(unsigned short from) {
    volatile unsigned short i;
    for (i = from; i <= 40000; i++) {
    }
    return i;
}

static int widened_downwards(signed char from) {
    volatile signed char i;
    for (i = from; i >= -90; i--) {
    }
    return i;
}

static unsigned widened_late(unsigned short from) {
    volatile unsigned short i = from;
    while (i++ < 50000) {
    }
    return i;
}

static unsigned widened_to_the_end(unsigned char from) {
    volatile unsigned char i = from;
    do {
        i++;
    } while (i != 0);
    return i;
}

static unsigned widened_stepped(unsigned char from) {
    volatile unsigned char i = from;
    while (++i < 180) {
    }
    return i;
}

static int out_of_range(signed char from) {
    volatile signed char i;
    for (i = from; i > -129; i--) {
        if (i == 5) {
            break;
        }
    }
    return i;
}

int main(void) {
    printf("%u %u %u\n", upwards(0, 1000), upwards(7, 3), upwards(5, 5));
    printf("%u %u\n", not_equal(3, 900), not_equal(4, 4));
    printf("%d %d %d\n", with_sign(-20, 30), with_sign(30, -20), with_sign(-5, -5));
    printf("%d %d %d\n", inclusive(-3, 4), inclusive(4, 4), inclusive(5, 4));
    printf("%d %d %d\n", downwards(9, -9), downwards(-9, 9), downwards(2, 2));
    printf("%d %d %d\n", down_inclusive(9, -9), down_inclusive(-9, 9), down_inclusive(2, 2));
    printf("%u %u %u\n", until_zero(500) + 1, until_zero(0) + 1, until_zero_first(300));
    printf("%d %d %d\n", once_at_least(0, 50), once_at_least(60, 50), once_at_least(50, 50));
    printf("%d %d\n", once_at_least_constant(0), once_at_least_constant(20));
    printf("%d %d %d\n", late(0, 40), late(41, 40), late(40, 40));
    printf("%d %d %d\n", late_downwards(40, 0), late_downwards(0, 40), late_downwards(3, 3));
    printf("%lu %d %d\n", bound_changes(100), two_counters(30), bound_counts(25));
    printf("%u %u %u\n", widened(0), widened(199), widened(250));
    printf("%d %d %d\n", widened_with_sign(-128), widened_with_sign(99), widened_with_sign(120));
    printf("%u %u\n", widened_inclusive(0), widened_inclusive(60000));
    printf("%d %d\n", widened_downwards(127), widened_downwards(-100));
    printf("%u %u\n", widened_late(10), widened_late(65000));
    printf("%u %u\n", widened_to_the_end(1), widened_stepped(3));
    printf("%u %d\n", widened_stepped(200), out_of_range(100));
    return 0;
}
