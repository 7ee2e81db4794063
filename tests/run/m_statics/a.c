//! Two files with equally named static functions and variables that must stay separate (main part).
#include <stdio.h>
static int counter = 10;
static int bump(void) { return ++counter; }
static const char *name(void) { static int n; return n++ ? "a-again" : "a-first"; }
static struct { int x; } cfg = {1};
int b_bump(void);
int b_counter(void);
const char *b_name(void);
int b_cfg(void);
int *b_array(void);
static int array[4] = {1, 2, 3, 4};
int main(void) {
    int t = bump();
    t += bump();
    printf("%d %d %d\n", t, counter, b_counter());
    b_bump();
    printf("%d %d\n", counter, b_counter());
    printf("%s %s ", name(), b_name());
    printf("%s %s\n", name(), b_name());
    cfg.x = 50;
    printf("%d %d\n", cfg.x, b_cfg());
    b_array()[1] = 99;
    printf("%d %d %d\n", array[1], b_array()[1], array != b_array());
    return b_bump();
}
