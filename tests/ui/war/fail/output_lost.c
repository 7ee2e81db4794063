//! The flag says that the message was sent, which it was not.
#include <brownout.h>
#include <stdio.h>

int sent;

int main(void) {
    brownout_checkpoint();
    if (!sent) { //~ NOTE [war] read here
        sent = 1; //~ ERROR [war] `sent`; output "" instead of "hello\n"
        puts("hello");
    }
    return 0;
}
