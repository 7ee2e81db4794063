//! What a function returns its caller sees: a message that was there is not there any more.
static volatile char is_there;
static int message;

void on_message(int value) {
    message = value;
    is_there = 1;
}

int take(void) {
    if (!is_there) //~ NOTE [war] read here
        return -1;
    is_there = 0; //~ ERROR [war] `is_there`; confirmed; result of take
    return message;
}
