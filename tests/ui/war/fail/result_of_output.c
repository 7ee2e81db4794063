//! A radio answers with a number of its own where it counts: the search asks for the number that it is compared with.
//@ config: [[output]]
//@ config: function = "radio_send"

int radio_send(int value);

int sent;

int send(int value) {
    if (radio_send(value) == 23) {
        sent = sent + 1; //~ ERROR [war] `sent`; `sent` = 2 instead of 1
    }
    return 0;
}
