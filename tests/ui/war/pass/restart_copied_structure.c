//! A structure is copied as a whole; what follows from it is output before.
//@ policy: restart
//@ config: [[input]]
//@ config: function = "error"
//@ config: values = [32, 48, 80]
//@ config: [[output]]
//@ config: function = "drive"
//@ config: semantics = "absolute"
//@ config: [memory]
//@ config: atomic-write = "any"
struct control { int gain, sum, out; };
__attribute__((section(".nv"))) struct control control;
int error(void);
void drive(int value);

static struct control step(struct control now, int error) {
    now.sum += error;
    now.out = error / 2 + now.sum;
    return now;
}

int main(void) {
    for (;;) {
        struct control next = step(control, error());
        drive(next.out);
        control = next;
    }
}
