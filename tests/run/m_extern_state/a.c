//! Extern variables and block-scope externs mutated in both files (main part).
#include <stdio.h>
int events;
long history[16];
void tick(int);
int (*hook)(int) = 0;
static int square(int x) { return x * x; }
extern volatile unsigned char port;
unsigned peek(void);
int main(void) {
    hook = square;
    for (int i = 1; i <= 5; i++) tick(i);
    hook = 0;
    tick(100);
    { extern int internal_count; printf("%d %d\n", events, internal_count); internal_count = 0; }
    for (int i = 0; i < events; i++) printf("%ld ", history[i]);
    port = 0x3c;
    printf("\n%u ", peek());
    port ^= 0xff;
    printf("%u\n", peek());
    extern int (*const getter)(void);
    printf("%d\n", getter());
    return events;
}
