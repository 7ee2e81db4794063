//! Two files with equally named static functions and variables that must stay separate (other part).
static int counter = 100;
static int bump(void) { counter += 7; return counter; }
static const char *name(void) { static int n; return n++ ? "b-again" : "b-first"; }
static struct { long x, y; } cfg = {2, 3};
static int array[2] = {7, 8};
int b_bump(void); int b_counter(void); const char *b_name(void); int b_cfg(void); int *b_array(void);
int b_bump(void) { return bump(); }
int b_counter(void) { return counter; }
const char *b_name(void) { return name(); }
int b_cfg(void) { return (int)(cfg.x * 10 + cfg.y); }
int *b_array(void) { return array; }
