//! A radio answers with a number of its own; what is written then is the same in every attempt.
//@ config: [[output]]
//@ config: function = "radio_send"

int radio_send(int value);

int sent;

int send(int value) {
    if (radio_send(value) == 23) {
        sent = 1;
    }
    return 0;
}
