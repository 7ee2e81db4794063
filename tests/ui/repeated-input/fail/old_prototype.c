//! `int sense();` says nothing of arguments: it is a function without any.
//@ config: [[input]]
//@ config: function = "sense"
//@ config: range = [0, 9]

int sense();
static int hot;

void poll() {
    if (sense() > 5) { //~ ERROR [repeated-input] whether `hot` is written; `hot` = 1 instead of 0
        hot = 1;
    }
}

int state() {
    return hot;
}
