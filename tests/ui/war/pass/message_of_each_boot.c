//! One message for each boot, of two bytes or of four, and the one after a failure is shorter: the third byte of the one that
//! was cut is left until a longer one comes. Who reads the message reads only what its first byte says.
//@ policy: restart
//@ config: [[input]]
//@ config: function = "receive"
//@ config: values = [3, 10, 12, 14, 2, 20, 2, 22, 3, 30, 32, 34]
__attribute__((section(".nv"))) volatile int kind, first, second, third;
int receive(void);

int main(void) {
    int received = receive();
    first = receive();
    if (received % 2 == 1) {
        second = receive();
        third = receive();
    }
    kind = received;
    return 0;
}
