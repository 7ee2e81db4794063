//! Inline assembly limited to empty strings, compiler barriers, register ties and nop.
#include <stdio.h>
#define barrier() __asm__ __volatile__("" ::: "memory")
static int shared;
static int opaque(int x) { __asm__("" : "+r"(x)); return x; }
static void use(const void *p) { __asm__ volatile("" : : "r"(p) : "memory"); }
static unsigned long launder(unsigned long v) { __asm__ volatile("" : "=r"(v) : "0"(v)); return v; }
int main(void) {
    shared = 1;
    barrier();
    shared++;
    barrier();
    printf("%d\n", shared);
    __asm__ volatile("nop");
    asm volatile("nop\n\tnop");
    int s = 0;
    for (int i = 0; i < 10; i++) { s += opaque(i) * 2; barrier(); }
    printf("%d\n", s);
    int arr[4] = {1, 2, 3, 4};
    use(arr);
    arr[1] = 20;
    use(arr);
    printf("%d %lu\n", arr[1], launder(1ul << 40));
    double d = 2.5;
    use(&d);
    printf("%g\n", d);
    __asm__ volatile("" ::: "cc");
    asm("");
    return opaque(17);
}
