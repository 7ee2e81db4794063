//! Settings are valid once they are there. After a failure in between the program goes on with what it has read.
//@ policy: restart
//@ config: [[input]]
//@ config: function = "setting"
//@ config: values = [5, 7, 9, 11]
//@ config: [[output]]
//@ config: function = "use"
//@ config: semantics = "absolute"
__attribute__((section(".nv"))) volatile struct { unsigned char valid; int gain, offset; } settings;
int setting(void);
void use(int gain, int offset);

int main(void) {
    if (!settings.valid) {
        settings.gain = setting();
        settings.offset = setting();
        settings.valid = 1;
    }
    use(settings.gain, settings.offset);
    return 0;
}
