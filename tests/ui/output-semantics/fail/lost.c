//! The flag is set before the packet is sent: a failure in between loses it.
//@ nv: symbol:sent
//@ config: [[output]]
//@ config: function = "transmit"
//@ config: [power]
//@ config: checkpoints = ["checkpoint"]
void checkpoint(void);
void transmit(int);
int sent;

int main(void) {
    checkpoint();
    if (!sent) { //~ NOTE [war] read here
        sent = 1; //~ ERROR [war] `sent`; confirmed
        transmit(5);
    }
    checkpoint();
    return 0;
}
