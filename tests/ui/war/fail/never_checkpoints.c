//! Without any checkpoint the whole program is one region.
//@ policy: static
//@ nv: globals
int runs;
int ready;

int main(void) {
    runs = runs + 1; //~ ERROR [war] `runs`; `runs` = 2 instead of 1
    ready = 1;
    return 0;
}
