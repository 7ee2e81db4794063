//! The flag is set after a checkpoint: the packet may be sent twice, never lost.
//@ nv: symbol:sent
//@ args: --only output-semantics
//@ config: [[output]]
//@ config: function = "transmit"
//@ config: [power]
//@ config: checkpoints = ["checkpoint"]
void checkpoint(void);
void transmit(int);
int sent;

int main(void) {
    checkpoint();
    if (!sent) {
        transmit(5);
        checkpoint();
        sent = 1;
    }
    checkpoint();
    return 0;
}
