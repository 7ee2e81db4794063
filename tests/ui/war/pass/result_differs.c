//! The same, with a call of its own to say that the message was taken.
static volatile char is_there;
static int message;

void on_message(int value) {
    message = value;
    is_there = 1;
}

int take(void) {
    return is_there ? message : -1;
}

void taken(void) {
    is_there = 0;
}
