/* The main loop: guard, sense, decide, water, report. */
#include "greenhouse.h"

void checkpoint(void);

int reports;

int main(void) {
    struct climate now;
    radio_on();
    for (int round = 0; round < 4; round++) {
        checkpoint();
        guard();
        checkpoint();
        sense(&now);
        checkpoint();
        if (dryness(&now) > 5)
            water(3);
        reports = reports + 1;
        report(1, reports);
    }
    return 0;
}
