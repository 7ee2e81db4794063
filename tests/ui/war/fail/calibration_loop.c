//! A driver that says that it is calibrated before it is: after a power failure in the loop the rest of the calibration
//! is never read.
//@ config: [[input]]
//@ config: function = "spi"
extern unsigned char spi(unsigned char address);

static unsigned char calibration[4], is_calibrated;

int temperature(void) {
    if (!is_calibrated) {
        is_calibrated = 1; //~ ERROR [war]
        for (int i = 0; i < 4; i++)
            calibration[i] = spi(0xa0 + i);
    }
    return spi(0xf4) * calibration[0] + calibration[3];
}
