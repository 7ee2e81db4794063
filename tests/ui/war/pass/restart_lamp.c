//! What the lamp shows is kept, then shown: if power fails in between, the boot shows it.
//@ policy: restart
//@ config: [[input]]
//@ config: function = "button"
//@ config: values = [0, 1, 0, 0, 1]
//@ config: [[output]]
//@ config: function = "lamp"
//@ config: semantics = "absolute"
__attribute__((section(".nv"))) volatile unsigned char lit;
int button(void);
void lamp(int lit);

int main(void) {
    lamp(lit);
    for (;;) {
        if (button()) {
            lit = !lit;
            lamp(lit);
        }
    }
}
