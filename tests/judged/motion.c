// An inertial unit on a bus that the user provides as functions in a context, with registers as bit-fields.
#include <stddef.h>
#include <stdint.h>
#include <string.h>

typedef int32_t (*motion_write_ptr)(void *handle, uint8_t reg, const uint8_t *data, uint16_t length);
typedef int32_t (*motion_read_ptr)(void *handle, uint8_t reg, uint8_t *data, uint16_t length);

typedef struct {
    motion_write_ptr write_reg;
    motion_read_ptr read_reg;
    void *handle;
} motion_ctx_t;

typedef struct {
    uint8_t bandwidth : 2;
    uint8_t full_scale : 2;
    uint8_t rate : 4;
} motion_ctrl1_t;

typedef struct {
    uint8_t sw_reset : 1;
    uint8_t big_endian : 1;
    uint8_t increment : 1;
    uint8_t spi_3wire : 1;
    uint8_t active_low : 1;
    uint8_t open_drain : 1;
    uint8_t block_update : 1;
    uint8_t boot : 1;
} motion_ctrl3_t;

typedef struct {
    uint8_t level_low;
    uint8_t level_high : 4;
    uint8_t empty : 1;
    uint8_t full : 1;
    uint8_t overrun : 1;
    uint8_t watermark : 1;
} motion_fifo_status_t;

typedef struct {
    motion_ctx_t *ctx;
    int16_t bias[3];
    uint8_t full_scale;
    uint32_t steps;
    uint8_t moving;
} motion_t;

int32_t motion_read_reg(motion_ctx_t *ctx, uint8_t reg, uint8_t *data, uint16_t length) {
    if (ctx == NULL) {
        return -1;
    }
    return ctx->read_reg(ctx->handle, reg, data, length);
}

int32_t motion_write_reg(motion_ctx_t *ctx, uint8_t reg, const uint8_t *data, uint16_t length) {
    if (ctx == NULL) {
        return -1;
    }
    return ctx->write_reg(ctx->handle, reg, data, length);
}

int32_t motion_rate_set(motion_ctx_t *ctx, uint8_t rate) {
    motion_ctrl1_t ctrl1;
    int32_t ret = motion_read_reg(ctx, 0x10, (uint8_t *)&ctrl1, 1);
    if (ret == 0) {
        ctrl1.rate = rate & 0x0F;
        ret = motion_write_reg(ctx, 0x10, (const uint8_t *)&ctrl1, 1);
    }
    return ret;
}

int32_t motion_rate_get(motion_ctx_t *ctx, uint8_t *rate) {
    motion_ctrl1_t ctrl1;
    int32_t ret = motion_read_reg(ctx, 0x10, (uint8_t *)&ctrl1, 1);
    *rate = ctrl1.rate;
    return ret;
}

int32_t motion_full_scale_set(motion_t *dev, uint8_t scale) {
    motion_ctrl1_t ctrl1;
    int32_t ret = motion_read_reg(dev->ctx, 0x10, (uint8_t *)&ctrl1, 1);
    if (ret == 0) {
        ctrl1.full_scale = scale & 3;
        ret = motion_write_reg(dev->ctx, 0x10, (const uint8_t *)&ctrl1, 1);
    }
    if (ret == 0) { //~ repeated-input dev->full_scale @O1
        dev->full_scale = scale & 3;
    }
    return ret;
}

int32_t motion_reset(motion_ctx_t *ctx) {
    motion_ctrl3_t ctrl3;
    int32_t ret = motion_read_reg(ctx, 0x12, (uint8_t *)&ctrl3, 1);
    if (ret != 0) {
        return ret;
    }
    ctrl3.sw_reset = 1;
    ctrl3.block_update = 1;
    ret = motion_write_reg(ctx, 0x12, (const uint8_t *)&ctrl3, 1);
    do {
        ret = motion_read_reg(ctx, 0x12, (uint8_t *)&ctrl3, 1);
    } while (ret == 0 && ctrl3.sw_reset);
    return ret;
}

int32_t motion_acceleration_raw(motion_ctx_t *ctx, int16_t *value) {
    uint8_t buff[6];
    int32_t ret = motion_read_reg(ctx, 0x28, buff, 6);
    value[0] = (int16_t)buff[1];
    value[0] = (value[0] * 256) + (int16_t)buff[0];
    value[1] = (int16_t)buff[3];
    value[1] = (value[1] * 256) + (int16_t)buff[2];
    value[2] = (int16_t)buff[5];
    value[2] = (value[2] * 256) + (int16_t)buff[4];
    return ret;
}

int32_t motion_calibrate(motion_t *dev, uint8_t samples) { //~ repeated-input dev->bias @O1
    int32_t sum[3] = {0, 0, 0};
    int16_t raw[3];
    if (samples == 0) {
        return -1;
    }
    for (uint8_t i = 0; i < samples; i++) {
        int32_t ret = motion_acceleration_raw(dev->ctx, raw);
        if (ret != 0) {
            return ret;
        }
        for (uint8_t axis = 0; axis < 3; axis++) {
            sum[axis] += raw[axis];
        }
    }
    for (uint8_t axis = 0; axis < 3; axis++) {
        dev->bias[axis] = (int16_t)(sum[axis] / samples);
    }
    return 0;
}

int32_t motion_fifo_read(motion_t *dev, int16_t out[][3], uint8_t max, uint8_t *count) { //? repeated-input *out @O1
    motion_fifo_status_t status;
    int32_t ret = motion_read_reg(dev->ctx, 0x3A, (uint8_t *)&status, 2);
    if (ret != 0) { //~ repeated-input *count @O1
        return ret;
    }
    uint16_t level = (uint16_t)(status.level_high << 8 | status.level_low);
    if (level > max) {
        level = max;
    }
    memset(out, 0, max * sizeof out[0]);
    *count = (uint8_t)level;
    for (uint16_t i = 0; i < level; i++) { //? repeated-input *out
        uint8_t buff[7];
        ret = motion_read_reg(dev->ctx, 0x78, buff, 7);
        if (ret != 0) { //? repeated-input *out @O1
            return ret;
        }
        for (uint8_t axis = 0; axis < 3; axis++) {
            int16_t value = (int16_t)(buff[2 * axis + 2] << 8 | buff[2 * axis + 1]);
            out[i][axis] = (int16_t)(value - dev->bias[axis]);
        }
    }
    return 0;
}

int32_t motion_steps(motion_t *dev) {
    uint8_t buff[2];
    int32_t ret = motion_read_reg(dev->ctx, 0x4B, buff, 2);
    if (ret == 0) { //~ repeated-input dev->moving @O1
        dev->steps = (uint32_t)(buff[1] << 8 | buff[0]);
        if (dev->steps > 20) { //~ repeated-input dev->moving
            dev->moving = 1;
        }
    }
    return ret;
}
