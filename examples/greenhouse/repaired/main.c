/* The main loop: guard; sense, decide and water in one region, then report. */
#include "greenhouse.h"

void checkpoint(void);

int reports;

int main(void) {
    struct climate now;
    for (int round = 0; round < 4; round++) {
        checkpoint();
        guard();
        checkpoint();
        sense(&now);
        if (dryness(&now) > 5)
            water(3);
        int next = reports + 1;
        checkpoint();
        reports = next;
        report(1, next);
    }
    return 0;
}
