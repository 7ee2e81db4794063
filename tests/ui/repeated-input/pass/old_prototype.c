//! `int sense();` says nothing of arguments: it is a function without any.
//@ config: [[input]]
//@ config: function = "sense"
//@ config: range = [0, 9]

int sense();
static int hot;

void poll() {
    hot = sense() > 5;
}

int state() {
    return hot;
}
