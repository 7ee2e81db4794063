//! A line when the device boots, and a job now and then, which counts as done before it is: a failure in between loses it.
//@ policy: restart
//@ config: [[output]]
//@ config: function = "greet"
//@ config: [[output]]
//@ config: function = "work"
__attribute__((section(".nv"))) volatile unsigned now, due = 10;
void greet(void);
void work(unsigned number);

int main(void) {
    greet();
    for (;;) {
        now++;
        if (now >= due) {
            due += 10; //~ ERROR [war] `due`
            work(due);
        }
    }
}
