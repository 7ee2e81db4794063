//! A driver that reads its calibration once: the flag is the last thing that is written, after a loop with a local
//! counter.
//@ config: [[input]]
//@ config: function = "spi"
extern unsigned char spi(unsigned char address);

static unsigned char calibration[4], is_calibrated;

int temperature(void) {
    if (!is_calibrated) {
        for (int i = 0; i < 4; i++)
            calibration[i] = spi(0xa0 + i);
        is_calibrated = 1;
    }
    return spi(0xf4) * calibration[0] + calibration[3];
}
