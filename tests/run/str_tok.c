//! strtok and strtok_r over several delimiter sets, nested use, and a hand-written split.
#include <stdio.h>
#include <string.h>

static void split(const char *src, const char *delim) {
    char buf[64]; strcpy(buf, src); int n = 0;
    for (char *t = strtok(buf, delim); t; t = strtok(NULL, delim)) printf("%d<%s> ", n++, t);
    printf("= %d\n", n);
}
static char *field(char **p, int sep) {
    char *s = *p;
    if (!s) return 0;
    char *e = strchr(s, sep);
    if (e) { *e = 0; *p = e + 1; } else *p = 0;
    return s;
}

int main(void) {
    split("one two three", " ");
    split("  leading and  double ", " ");
    split("a,b;c d", ",; ");
    split("", ",");
    split(",,,", ",");
    split("nodelim", ",");
    split("x=1&y=2", "=&");
    char t[] = "k1:v1,k2:v2,k3:v3"; char *o, *in; 
    for (char *kv = strtok_r(t, ",", &o); kv; kv = strtok_r(0, ",", &o)) {
        char *k = strtok_r(kv, ":", &in), *v = strtok_r(0, ":", &in);
        printf("%s->%s ", k, v);
    }
    printf("\n");
    char chg[] = "a-b_c";
    printf("%s ", strtok(chg, "-"));
    printf("%s ", strtok(0, "_"));
    printf("%s ", strtok(0, ""));
    printf("%d\n", strtok(0, "") == 0);
    char csv[] = "1,,3,"; char *p = csv; int n = 0; for (char *f; (f = field(&p, ',')); n++) printf("[%s]", f);
    printf(" %d\n", n);
    return n;
}
