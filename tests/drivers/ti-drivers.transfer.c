// A thermometer on the I2C driver of TI's SDKs: the transaction names its buffers.
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct I2C_Config_ *I2C_Handle;
typedef struct {
    void *writeBuf;
    size_t writeCount;
    void *readBuf;
    size_t readCount;
    uint_least8_t slaveAddress;
    volatile int_fast16_t status;
    void *arg;
    void *nextPtr;
} I2C_Transaction;
bool I2C_transfer(I2C_Handle handle, I2C_Transaction *transaction);
void ClockP_usleep(uint32_t microseconds);

static struct {
    int16_t raw;
    uint16_t alarms;
} thermometer;

int tmp_update(I2C_Handle bus) {
    uint8_t command = 0, reading[2];
    I2C_Transaction transaction = {0};
    transaction.slaveAddress = 0x48;
    transaction.writeBuf = &command;
    transaction.writeCount = 1;
    transaction.readBuf = reading;
    transaction.readCount = sizeof reading;
    if (!I2C_transfer(bus, &transaction)) {
        return -1;
    }
    thermometer.raw = (int16_t)(reading[0] << 8 | reading[1]);
#ifdef MENDED
    thermometer.alarms = thermometer.raw > 0x1e00;
#else
    if (thermometer.raw > 0x1e00) { //~ repeated-input thermometer.alarms
        thermometer.alarms = 1;
    }
#endif
    return 0;
}

uint16_t tmp_alarms(void) { return thermometer.alarms; }
int16_t tmp_raw(void) { return thermometer.raw; }
