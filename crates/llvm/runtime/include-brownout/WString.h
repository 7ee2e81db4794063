/* WString.h: Arduino's String, a text on the heap.  A text that finds no memory is empty, as on the device. */
#ifndef _BROWNOUT_WSTRING_H
#define _BROWNOUT_WSTRING_H
#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

class __FlashStringHelper;
#define F(text) (reinterpret_cast<const __FlashStringHelper *>(text))
#define FPSTR(text) (reinterpret_cast<const __FlashStringHelper *>(text))

/* What happens in these headers is not the user's code: it has no lines. */
#pragma clang attribute push(__attribute__((nodebug)), apply_to = hasType(functionType))

/* The digits of a number, ended by zero, at the end of a buffer of 66 bytes. */
static inline char *__brownout_digits(char *buffer, unsigned long long value, unsigned base, bool is_negative = false) {
    char *at = buffer + 65;
    *at = 0;
    if (base < 2) base = 10;
    do {
        unsigned digit = (unsigned)(value % base);
        *--at = (char)(digit < 10 ? '0' + digit : 'A' + digit - 10);
        value /= base;
    } while (value);
    if (is_negative) *--at = '-';
    return at;
}

class String {
    char *text = nullptr;
    unsigned size = 0, room = 0;

    void set(const char *from, unsigned length) {
        if (!reserve(length)) return;
        if (length) memmove(text, from, length);
        size = length;
        text[size] = 0;
    }
    void number(unsigned long long value, unsigned base, bool is_negative) {
        char buffer[66], *at = __brownout_digits(buffer, value, base, is_negative);
        for (char *c = at; *c; c++) *c = (char)tolower(*c);
        set(at, (unsigned)strlen(at));
    }
    void sign(long long value, unsigned base) {
        bool is_negative = value < 0 && base == 10;
        number(is_negative ? 0ull - (unsigned long long)value : (unsigned long long)(unsigned long)value, base, is_negative);
    }
    void fraction(double value, unsigned digits) {
        char buffer[66];
        snprintf(buffer, sizeof buffer, "%.*f", (int)digits, value);
        set(buffer, (unsigned)strlen(buffer));
    }

public:
    String(const char *from = "") { if (from) set(from, (unsigned)strlen(from)); }
    String(const char *from, unsigned length) { set(from, length); }
    String(const String &other) { set(other.c_str(), other.size); }
    String(String &&other) : text(other.text), size(other.size), room(other.room) { other.text = nullptr; other.size = other.room = 0; }
    String(const __FlashStringHelper *from) : String(reinterpret_cast<const char *>(from)) {}
    explicit String(char c) { set(&c, 1); }
    explicit String(unsigned char v, unsigned char base = 10) { number(v, base, false); }
    explicit String(int v, unsigned char base = 10) { base == 10 ? sign(v, base) : number((unsigned)v, base, false); }
    explicit String(unsigned int v, unsigned char base = 10) { number(v, base, false); }
    explicit String(long v, unsigned char base = 10) { sign(v, base); }
    explicit String(unsigned long v, unsigned char base = 10) { number(v, base, false); }
    explicit String(long long v, unsigned char base = 10) { sign(v, base); }
    explicit String(unsigned long long v, unsigned char base = 10) { number(v, base, false); }
    explicit String(float v, unsigned char digits = 2) { fraction(v, digits); }
    explicit String(double v, unsigned char digits = 2) { fraction(v, digits); }
    ~String() { free(text); }

    String &operator=(const String &other) { if (this != &other) set(other.c_str(), other.size); return *this; }
    String &operator=(String &&other) {
        if (this != &other) {
            free(text);
            text = other.text, size = other.size, room = other.room;
            other.text = nullptr, other.size = other.room = 0;
        }
        return *this;
    }
    String &operator=(const char *from) { set(from ? from : "", from ? (unsigned)strlen(from) : 0); return *this; }
    String &operator=(const __FlashStringHelper *from) { return *this = reinterpret_cast<const char *>(from); }

    bool reserve(unsigned length) {
        if (text && room >= length) return true;
        char *larger = (char *)realloc(text, length + 1);
        if (!larger) return false;
        if (!text) larger[0] = 0;
        text = larger;
        room = length;
        return true;
    }
    unsigned int length() const { return size; }
    bool isEmpty() const { return size == 0; }
    void clear() { set("", 0); }
    const char *c_str() const { return text ? text : ""; }
    char *begin() { return (char *)c_str(); }
    char *end() { return begin() + size; }
    const char *begin() const { return c_str(); }
    const char *end() const { return c_str() + size; }

    bool concat(const char *from, unsigned more) {
        // A part of the text itself moves with it.
        bool is_own = text && from >= text && from <= text + size;
        unsigned long offset = is_own ? (unsigned long)(from - text) : 0;
        if (!reserve(size + more)) return false;
        if (more) memmove(text + size, is_own ? text + offset : from, more);
        size += more;
        text[size] = 0;
        return true;
    }
    bool concat(const char *from) { return from && concat(from, (unsigned)strlen(from)); }
    bool concat(const String &other) { return concat(other.c_str(), other.size); }
    bool concat(const __FlashStringHelper *from) { return concat(reinterpret_cast<const char *>(from)); }
    bool concat(char c) { return concat(&c, 1); }
    template <class T> bool concat(T value) { return concat(String(value)); }
    template <class T> String &operator+=(const T &value) { concat(value); return *this; }
    String &operator+=(const char *from) { concat(from); return *this; }

    int compareTo(const String &other) const { return strcmp(c_str(), other.c_str()); }
    bool equals(const String &other) const { return size == other.size && compareTo(other) == 0; }
    bool equals(const char *other) const { return strcmp(c_str(), other ? other : "") == 0; }
    bool equalsIgnoreCase(const String &other) const {
        if (size != other.size) return false;
        for (unsigned i = 0; i < size; i++)
            if (tolower(text[i]) != tolower(other.text[i])) return false;
        return true;
    }
    bool operator==(const String &other) const { return equals(other); }
    bool operator==(const char *other) const { return equals(other); }
    bool operator!=(const String &other) const { return !equals(other); }
    bool operator!=(const char *other) const { return !equals(other); }
    bool operator<(const String &other) const { return compareTo(other) < 0; }
    bool operator>(const String &other) const { return compareTo(other) > 0; }
    bool operator<=(const String &other) const { return compareTo(other) <= 0; }
    bool operator>=(const String &other) const { return compareTo(other) >= 0; }
    bool startsWith(const String &other, unsigned at = 0) const {
        return at + other.size <= size && strncmp(c_str() + at, other.c_str(), other.size) == 0;
    }
    bool endsWith(const String &other) const { return other.size <= size && startsWith(other, size - other.size); }

    char charAt(unsigned at) const { return at < size ? text[at] : (char)0; }
    void setCharAt(unsigned at, char c) { if (at < size) text[at] = c; }
    char operator[](unsigned at) const { return charAt(at); }
    char &operator[](unsigned at) {
        static char nowhere;
        if (at < size) return text[at];
        nowhere = 0;
        return nowhere;
    }
    void getBytes(unsigned char *to, unsigned room_there, unsigned at = 0) const {
        if (!room_there || !to) return;
        unsigned count = at < size ? size - at : 0;
        if (count > room_there - 1) count = room_there - 1;
        if (count) memcpy(to, c_str() + at, count);
        to[count] = 0;
    }
    void toCharArray(char *to, unsigned room_there, unsigned at = 0) const { getBytes((unsigned char *)to, room_there, at); }

    int indexOf(char c, unsigned from = 0) const {
        for (unsigned i = from; i < size; i++)
            if (text[i] == c) return (int)i;
        return -1;
    }
    int indexOf(const String &what, unsigned from = 0) const {
        for (unsigned i = from; i + what.size <= size; i++)
            if (startsWith(what, i)) return (int)i;
        return -1;
    }
    int lastIndexOf(char c) const {
        for (unsigned i = size; i > 0; i--)
            if (text[i - 1] == c) return (int)(i - 1);
        return -1;
    }
    int lastIndexOf(const String &what) const {
        for (unsigned i = size + 1; i > 0; i--)
            if (startsWith(what, i - 1)) return (int)(i - 1);
        return -1;
    }
    String substring(unsigned from) const { return substring(from, size); }
    String substring(unsigned from, unsigned to) const {
        if (from > to) { unsigned other = from; from = to; to = other; }
        if (from >= size) return String();
        return String(c_str() + from, (to < size ? to : size) - from);
    }
    void replace(char old, char now) {
        for (unsigned i = 0; i < size; i++)
            if (text[i] == old) text[i] = now;
    }
    void replace(const String &old, const String &now) {
        if (!old.size) return;
        String result;
        for (unsigned i = 0; i < size;) {
            bool is_here = startsWith(old, i);
            is_here ? result.concat(now) : result.concat(text[i]);
            i += is_here ? old.size : 1;
        }
        *this = static_cast<String &&>(result);
    }
    void remove(unsigned at) { remove(at, size); }
    void remove(unsigned at, unsigned count) {
        if (at >= size || !count) return;
        if (count > size - at) count = size - at;
        memmove(text + at, text + at + count, size - at - count + 1);
        size -= count;
    }
    void toLowerCase() { for (unsigned i = 0; i < size; i++) text[i] = (char)tolower(text[i]); }
    void toUpperCase() { for (unsigned i = 0; i < size; i++) text[i] = (char)toupper(text[i]); }
    void trim() {
        unsigned from = 0, to = size;
        while (from < to && isspace((unsigned char)text[from])) from++;
        while (to > from && isspace((unsigned char)text[to - 1])) to--;
        remove(to);
        remove(0, from);
    }
    long toInt() const { return atol(c_str()); }
    float toFloat() const { return (float)atof(c_str()); }
    double toDouble() const { return atof(c_str()); }
};
/* What a sum of texts is. */
using StringSumHelper = String;

template <class T> static inline String operator+(String left, const T &right) { left += right; return left; }
static inline String operator+(String left, const char *right) { left += right; return left; }
static inline String operator+(const char *left, const String &right) { String sum(left); sum += right; return sum; }
static inline String operator+(const __FlashStringHelper *left, const String &right) { String sum(left); sum += right; return sum; }
static inline String operator+(char left, const String &right) { String sum(left); sum += right; return sum; }
static inline bool operator==(const char *left, const String &right) { return right == left; }
static inline bool operator!=(const char *left, const String &right) { return right != left; }
#pragma clang attribute pop
#endif
