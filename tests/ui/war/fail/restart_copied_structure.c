//! A structure is copied as a whole; what changes of it is to blame, not its first member.
//@ policy: restart
//@ config: [[input]]
//@ config: function = "error"
//@ config: values = [32, 48, 80]
//@ config: [[output]]
//@ config: function = "drive"
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
        control = step(control, error()); //~ ERROR [war] `control.sum`
        drive(control.out);
    }
}
