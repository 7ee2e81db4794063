//! Shared types of the m_structs program.
struct vec { double x, y, z; };
struct small { short a, b; char c; };
struct deck { int cards[52]; };
extern const float quarter;
extern const char version[];
void note(int);
struct vec mk(double, double, double);
struct vec add(struct vec, struct vec);
struct small flip(struct small);
double sum(int, ...);
struct deck shuffled(unsigned);
int checksum(struct deck);
