//! Common symbols and extern arrays shared by two files (other part).
int shared;
int buffer[8];
double ratio = 0.5;
int table[] = {4, 5, 6, 0};
const char *const labels[3] = {"low", "mid", "high"};
const int limit = sizeof table / sizeof table[0];
struct pt { int x, y; } origin = {3, 4};
void fill(int k) { for (int i = 0; i < 8; i++) buffer[i] = i * k; shared = k; ratio *= k; }
int total(void) { int t = shared; for (int i = 0; i < 8; i++) t += buffer[i]; return t; }
