/* Stream.h: what Arduino reads from.  Nobody waits: what is not there is not coming. */
#ifndef _BROWNOUT_STREAM_H
#define _BROWNOUT_STREAM_H
#include <Print.h>

extern "C" {
/* What is left to be read from a port: how many bytes, and the next one if it was looked at. */
struct __brownout_port {
    unsigned char waiting, is_next_known, next;
};
struct __brownout_port *__brownout_port(int number);
}

enum LookaheadMode { SKIP_ALL, SKIP_NONE, SKIP_WHITESPACE };

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
class Stream : public Print {
    unsigned long limit = 1000;

    /* The next character that a number can begin with, or -1. */
    int digit(bool with_point) {
        for (;;) {
            int c = peek();
            if (c < 0 || c == '-' || (c >= '0' && c <= '9') || (with_point && c == '.')) return c;
            read();
        }
    }

public:
    virtual int available() = 0;
    virtual int read() = 0;
    virtual int peek() = 0;
    void setTimeout(unsigned long milliseconds) { limit = milliseconds; }
    unsigned long getTimeout() const { return limit; }

    bool find(const char *target) { return find(target, strlen(target)); }
    bool find(const char *target, size_t size) {
        size_t found = 0;
        while (found < size) {
            int c = read();
            if (c < 0) return false;
            found = c == target[found] ? found + 1 : c == target[0];
        }
        return true;
    }
    bool find(char target) { return find(&target, 1); }

    long parseInt(LookaheadMode = SKIP_ALL) {
        int c = digit(false);
        if (c < 0) return 0;
        bool is_negative = false;
        long value = 0;
        do {
            if (c == '-') is_negative = true;
            else value = value * 10 + (c - '0');
            read();
            c = peek();
        } while (c >= '0' && c <= '9');
        return is_negative ? -value : value;
    }
    float parseFloat(LookaheadMode = SKIP_ALL) {
        int c = digit(true);
        bool is_negative = false, is_fraction = false;
        float value = 0, part = 1;
        while (c == '-' || c == '.' || (c >= '0' && c <= '9')) {
            if (c == '-') is_negative = true;
            else if (c == '.') is_fraction = true;
            else {
                value = value * 10 + (float)(c - '0');
                if (is_fraction) part /= 10;
            }
            read();
            c = peek();
        }
        return (is_negative ? -value : value) * part;
    }
    size_t readBytes(uint8_t *to, size_t size) {
        size_t done = 0;
        for (int c; done < size && (c = read()) >= 0; done++) to[done] = (uint8_t)c;
        return done;
    }
    size_t readBytes(char *to, size_t size) { return readBytes((uint8_t *)to, size); }
    size_t readBytesUntil(char end, char *to, size_t size) {
        size_t done = 0;
        for (int c; done < size && (c = read()) >= 0 && c != (uint8_t)end; done++) to[done] = (char)c;
        return done;
    }
    String readString() {
        String text;
        for (int c; (c = read()) >= 0;) text += (char)c;
        return text;
    }
    String readStringUntil(char end) {
        String text;
        for (int c; (c = read()) >= 0 && c != (uint8_t)end;) text += (char)c;
        return text;
    }
};
#pragma clang attribute pop
#endif
