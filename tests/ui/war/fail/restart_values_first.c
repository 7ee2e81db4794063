//! Settings are valid before they are there.
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
        settings.valid = 1; //~ ERROR [war] `settings.valid`
        settings.gain = setting(); //~ ERROR [war] `settings.gain`
        settings.offset = setting();
    }
    use(settings.gain, settings.offset);
    return 0;
}
