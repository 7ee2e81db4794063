//! Extern variables and block-scope externs mutated in both files (other part).
extern int events;
extern long history[];
extern int (*hook)(int);
int internal_count;
volatile unsigned char port;
unsigned peek(void);
void tick(int);
static int get(void) { return internal_count + (int)history[events - 1]; }
extern int (*const getter)(void);
int (*const getter)(void) = get;
void tick(int v) { internal_count += 2; history[events++] = hook ? hook(v) : -v; } unsigned peek(void) { return port; }
