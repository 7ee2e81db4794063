/* small_i386.c: the machine's services as Linux system calls, so that small.c
 * runs with our library alone as a 32-bit program. */
typedef __SIZE_TYPE__ size_t;
int main(void);
_Noreturn void exit(int);

static long call(long number, long a, long b, long c) {
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}
_Noreturn void __brownout_exit(int status) {
    for (;;)
        call(1, status, 0, 0);
}
_Noreturn void __brownout_abort(void) { __brownout_exit(3); }
void __brownout_write(int stream, const void *p, size_t n) { call(4, stream, (long)p, (long)n); }
void __brownout_copy(void *d, const void *s, size_t n) {
    volatile char *to = d;
    const char *from = s;
    if ((size_t)to < (size_t)from)
        for (size_t i = 0; i < n; i++)
            to[i] = from[i];
    else
        while (n--)
            to[n] = from[n];
}
void __brownout_fill(void *d, int c, size_t n) {
    for (volatile char *to = d; n--;)
        *to++ = (char)c;
}
static _Alignas(16) char heap[2000];
void *__brownout_heap_start(void) { return heap; }
size_t __brownout_heap_size(void) { return sizeof heap; }
void __brownout_heap_allocated(void *p, size_t n) { (void)p, (void)n; }
void __brownout_heap_freed(void *p) { (void)p; }
_Noreturn void __brownout_bad_free(void *p) { (void)p, __brownout_exit(4); }
__attribute__((force_align_arg_pointer)) void _start(void) { exit(main()); }

/* The compiler's own 64-bit division, which the emulator does not need. */
unsigned long long __udivdi3(unsigned long long n, unsigned long long d);
unsigned long long __umoddi3(unsigned long long n, unsigned long long d);
unsigned long long __udivdi3(unsigned long long n, unsigned long long d) {
    unsigned long long q = 0, rest = 0;
    for (int i = 63; i >= 0; i--) {
        int carry = (int)(rest >> 63);
        rest = rest << 1 | (n >> i & 1);
        if (carry || rest >= d) {
            rest -= d;
            q |= 1ull << i;
        }
    }
    return q;
}
unsigned long long __umoddi3(unsigned long long n, unsigned long long d) {
    return n - __udivdi3(n, d) * d;
}
