//! A buffer that every call fills before it reads it: nobody sees what is left there.
//@ known-bug: no execution shows harm, but that no call reads what another one left is not proved
//@ config: [[input]]
//@ config: function = "sense"
//@ config: values = [-1, 10, 65]
int sense(void);
static char line[4];

int poll(void) {
    int length = 0, letter;
    while (length < 3 && (letter = sense()) != '\n') {
        if (letter < 0)
            return -1;
        line[length++] = letter;
    }
    line[length] = 0;
    int count = 0;
    for (char *at = line; *at; at++)
        count++;
    return count;
}
