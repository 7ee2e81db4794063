//! An enum state machine, a switch-driven tokeniser and a ring buffer.
#include <stdio.h>
#include <stdint.h>
enum st { IDLE, NUM, WORD, DONE };
static void lex(const char *s) {
    enum st st = IDLE;
    int start = 0, i = 0;
    while (st != DONE) {
        char c = s[i];
        switch (st) {
            case IDLE: start = i;
            if (c >= '0' && c <= '9') st = NUM; else if (c >= 'a' && c <= 'z') st = WORD; else if (!c) {
                st = DONE;
                continue;
            } else if (c != ' ') printf("op%c ", c);
            i++;
            break;
            case NUM: if (c >= '0' && c <= '9') i++; else { printf("n%.*s ", i - start, s + start); st = IDLE; }
            break;
            case WORD: if ((c >= 'a' && c <= 'z') || c == '_') i++; else {
                printf("w%.*s ", i - start, s + start);
                st = IDLE;
            }
            break;
            case DONE: break;
        }
    }
    printf("\n");
}
static struct { uint8_t b[8]; uint8_t h, t; } q;
static int put(uint8_t v) {
    uint8_t n = (uint8_t)((q.h + 1) & 7);
    if (n == q.t) return 0;
    q.b[q.h] = v;
    q.h = n;
    return 1;
}
static int get(void) { if (q.h == q.t) return -1; int v = q.b[q.t]; q.t = (uint8_t)((q.t + 1) & 7); return v; }
int main(void) {
    lex("x_y = 42 + foo*(7-bar)");
    lex("");
    lex("123abc 9");
    int lost = 0, got = 0;
    for (int i = 0; i < 40; i++) { if (!put((uint8_t)(i * 7))) lost++; if (i % 3 == 0) { int v = get(); got += v; } }
    printf("%d %d:", lost, got);
    int v;
    while ((v = get()) >= 0) printf(" %d", v);
    printf("\n");
    for (int i = -2; i < 8; i++) switch (i) {
        case -1: printf("m1 ");
        break;
        case 0 ... 2: printf("low ");
        break;
        case 5: printf("five ");
        /* fall through */ case 6: printf("six ");
        break;
        default: printf("def ");
    }
    printf("\n");
    return 0;
}
