//! Reads a temperature ten times, keeps a running average, and raises an alarm.
#include <stdio.h>

int read_temp(void);       // a sensor: brownout.toml says what it reads
void set_alarm(int on);    // a pin: brownout.toml says that it is an output

static int average;
static unsigned alarms;

int main(void) {
    average = read_temp();
    for (int i = 0; i < 10; i++) {
        int now = read_temp();
        average = (3 * average + now) / 4;
        if (average > 30) {
            alarms++;
            set_alarm(1);
        }
        printf("%2d: %d degrees, average %d\n", i, now, average);
    }
    printf("%u alarms\n", alarms);
    return 0;
}
