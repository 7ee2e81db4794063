//! A stack machine interpreter with calls, locals and jumps running several programs.
#include <stdio.h>
#include <stdint.h>
enum op { LIT, ADD, SUB, MUL, LT, JZ, JMP, LDL, STL, CALL, RET, OUT, HALT, DUP };
struct vm { int32_t st[64]; int sp, fp, pc; long steps; };
static int32_t run(const int16_t *code) {
    struct vm m = {.sp = 0};
#define PUSH(x) (m.st[m.sp++] = (x))
#define POP() (m.st[--m.sp])
    for (;;) {
        m.steps++;
        switch ((enum op)code[m.pc++]) {
        case LIT: PUSH(code[m.pc++]); break;
        case ADD: { int32_t b = POP(); m.st[m.sp - 1] += b; break; }
        case SUB: { int32_t b = POP(); m.st[m.sp - 1] -= b; break; }
        case MUL: { int32_t b = POP(); m.st[m.sp - 1] *= b; break; }
        case LT: { int32_t b = POP(); m.st[m.sp - 1] = m.st[m.sp - 1] < b; break; }
        case DUP: { int32_t a = m.st[m.sp - 1]; PUSH(a); break; }
        case JZ: { int t = code[m.pc++]; if (!POP()) m.pc = t; break; }
        case JMP: m.pc = code[m.pc]; break;
        case LDL: { int32_t v = m.st[m.fp + code[m.pc++]]; PUSH(v); break; }
        case STL: { int32_t v = POP(); m.st[m.fp + code[m.pc++]] = v; break; }
        case CALL: {
            int t = code[m.pc++];
            int32_t a = POP();
            PUSH(m.pc);
            PUSH(m.fp);
            m.fp = m.sp;
            PUSH(a);
            m.pc = t;
            break;
        }
        case RET: { int32_t v = POP(); m.sp = m.fp; m.fp = POP(); m.pc = POP(); PUSH(v); break; }
        case OUT: printf("%d ", POP()); break;
        case HALT: printf("steps %ld\n", m.steps); return m.sp ? m.st[m.sp - 1] : 0;
        }
    }
}
int main(void) {
    static const int16_t fact[] = {LIT, 10, CALL, 6, OUT, HALT, LDL, 0, LIT, 2, LT, JZ, 16, LIT, 1, RET,
        LDL, 0, LDL, 0, LIT, 1, SUB, CALL, 6, MUL, RET};
    static const int16_t countdown[] = {LIT, 5, DUP, OUT, LIT, 1, SUB, DUP, JZ, 12, JMP, 2, HALT};
    static const int16_t sum[] = {LIT, 0, LIT, 0, LDL, 1, LIT, 20, LT, JZ, 27, LDL, 0, LDL, 1, ADD, STL, 0,
        LDL, 1, LIT, 1, ADD, STL, 1, JMP, 4, LDL, 0, OUT, HALT};
    run(fact);
    run(countdown);
    return (int)run(sum) & 0xff;
}
