/* Print.h: what Arduino prints on. */
#ifndef _BROWNOUT_PRINT_H
#define _BROWNOUT_PRINT_H
#include <Printable.h>
#include <WString.h>
#include <stdarg.h>
#define DEC 10
#define HEX 16
#define OCT 8
#define BIN 2

#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))
class Print {
    int problem = 0;

    size_t number(unsigned long long value, int base, bool is_negative = false) {
        char buffer[66];
        return write(__brownout_digits(buffer, value, (unsigned)base, is_negative));
    }
    size_t sign(long long value, int base) {
        bool is_negative = value < 0 && base == DEC;
        return number(is_negative ? 0ull - (unsigned long long)value : (unsigned long long)value, base, is_negative);
    }

protected:
    void setWriteError(int is = 1) { problem = is; }

public:
    int getWriteError() { return problem; }
    void clearWriteError() { problem = 0; }
    virtual size_t write(uint8_t) = 0;
    virtual size_t write(const uint8_t *bytes, size_t size) {
        size_t done = 0;
        while (done < size && write(bytes[done])) done++;
        return done;
    }
    size_t write(const char *text) { return text ? write((const uint8_t *)text, strlen(text)) : 0; }
    size_t write(const char *bytes, size_t size) { return write((const uint8_t *)bytes, size); }
    virtual int availableForWrite() { return 0; }
    virtual void flush() {}

    size_t print(const __FlashStringHelper *text) { return write(reinterpret_cast<const char *>(text)); }
    size_t print(const String &text) { return write(text.c_str(), text.length()); }
    size_t print(const char *text) { return write(text); }
    size_t print(char c) { return write((uint8_t)c); }
    size_t print(unsigned char v, int base = DEC) { return number(v, base); }
    size_t print(int v, int base = DEC) { return base == DEC ? sign(v, base) : number((unsigned long)(long)v, base); }
    size_t print(unsigned v, int base = DEC) { return number(v, base); }
    size_t print(long v, int base = DEC) { return base == DEC ? sign(v, base) : number((unsigned long)v, base); }
    size_t print(unsigned long v, int base = DEC) { return number(v, base); }
    size_t print(long long v, int base = DEC) { return sign(v, base); }
    size_t print(unsigned long long v, int base = DEC) { return number(v, base); }
    size_t print(double v, int digits = 2) {
        char buffer[66];
        snprintf(buffer, sizeof buffer, "%.*f", digits, v);
        return write(buffer);
    }
    size_t print(const Printable &it) { return it.printTo(*this); }
    size_t println() { return write("\n"); }
    template <class T> size_t println(const T &v) { size_t done = print(v); return done + println(); }
    template <class T> size_t println(const T &v, int how) { size_t done = print(v, how); return done + println(); }
    __attribute__((format(printf, 2, 3))) int printf(const char *format, ...) {
        char buffer[128];
        va_list list;
        va_start(list, format);
        int size = vsnprintf(buffer, sizeof buffer, format, list);
        va_end(list);
        write(buffer);
        return size;
    }
};
#pragma clang attribute pop
#endif
