//! A line when the device boots, and a job now and then. What a failure has cut short is done after the boot: the line comes
//! before it and not after it. The level that is set every round need not be set again while it stays.
//@ policy: restart
//@ config: [[output]]
//@ config: function = "greet"
//@ config: [[output]]
//@ config: function = "work"
//@ config: [[output]]
//@ config: function = "level"
//@ config: semantics = "absolute"
__attribute__((section(".nv"))) volatile unsigned now, due = 10;
void greet(void);
void work(unsigned number);
void level(unsigned value);

int main(void) {
    greet();
    for (;;) {
        now++;
        level(now < 5);
        if (now >= due) {
            work(due);
            due += 10;
        }
    }
}
