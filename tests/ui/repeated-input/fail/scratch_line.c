//! What is left in a buffer shows if another call reads it.
//@ config: [[input]]
//@ config: function = "sense"
//@ config: values = [-1, 10, 65]
int sense(void);
static char line[4];

int poll(void) {
    int length = 0, letter;
    while (length < 3 && (letter = sense()) != '\n') { //~ ERROR [repeated-input] `line[0]`; confirmed
        if (letter < 0) //~ ERROR [repeated-input] `line[0]`; confirmed
            return -1;
        line[length++] = letter;
    }
    line[length] = 0;
    return length;
}

int first(void) {
    return line[0];
}
