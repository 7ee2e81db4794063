// An accelerometer in the style of the platform-independent drivers of ST: its users fill a context.
#include <stdint.h>

typedef int32_t (*stmdev_write_ptr)(void *handle, uint8_t reg, const uint8_t *data, uint16_t len);
typedef int32_t (*stmdev_read_ptr)(void *handle, uint8_t reg, uint8_t *data, uint16_t len);
typedef void (*stmdev_mdelay_ptr)(uint32_t milliseconds);
typedef struct {
    stmdev_write_ptr write_reg;
    stmdev_read_ptr read_reg;
    stmdev_mdelay_ptr mdelay;
    void *handle;
} stmdev_ctx_t;

typedef union {
    struct {
        uint8_t zyxda : 1;
        uint8_t wake : 1;
        uint8_t rest : 6;
    };
    uint8_t byte;
} status_t;

static uint16_t falls;
static uint8_t fallen;

int32_t acc_read_reg(stmdev_ctx_t *ctx, uint8_t reg, uint8_t *data, uint16_t len) {
    return ctx->read_reg(ctx->handle, reg, data, len);
}

int32_t acc_write_reg(stmdev_ctx_t *ctx, uint8_t reg, uint8_t *data, uint16_t len) {
    return ctx->write_reg(ctx->handle, reg, data, len);
}

int32_t acc_watch(stmdev_ctx_t *ctx) {
    status_t status;
    int32_t result = acc_read_reg(ctx, 0x27, &status.byte, 1);
    if (result != 0) {
        return result;
    }
#ifdef MENDED
    fallen = status.wake;
#else
    if (status.wake) { //~ repeated-input fallen
        fallen = 1;
    }
#endif
    ctx->mdelay(5);
    return 0;
}

uint8_t acc_fallen(void) { return fallen; }
