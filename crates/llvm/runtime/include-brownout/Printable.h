/* Printable.h: what can print itself. */
#ifndef _BROWNOUT_PRINTABLE_H
#define _BROWNOUT_PRINTABLE_H
#include <stddef.h>
class Print;
class Printable {
public:
    virtual size_t printTo(Print &to) const = 0;
};
#endif
