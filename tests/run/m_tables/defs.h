//! Shared declarations of the m_tables program.
typedef int (*op_fn)(int, int);
struct op { const char *name; op_fn fn; };
typedef void (*visit_fn)(const char *, int, void *);
extern const struct op builtin[], extra[];
extern int calls;
int run_all(const struct op *, int, int, visit_fn, void *);
op_fn find(const char *);
op_fn *current(void);
int apply(int, int);
