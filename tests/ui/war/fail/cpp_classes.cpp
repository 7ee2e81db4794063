//! C++: a constructor before `main`, virtual calls, a counter that is a member.
//@ policy: static
//@ nv: symbol:odometer
#include <brownout.h>
#include <cstdint>
#include <new>

struct Meter {
    virtual ~Meter() = default;
    virtual void tick(std::uint16_t by) = 0;
};

class Odometer : public Meter {
  public:
    explicit Odometer(std::uint16_t start) : total(start) {}
    void tick(std::uint16_t by) override {
        total = total + by; //~ ERROR [war] `odometer.total` is read, then overwritten
    }
    std::uint16_t total;
};

Odometer odometer(7);
static std::uint16_t scratch;

int main() {
    Meter *meter = &odometer;
    int *block = new int[3];
    brownout_checkpoint();
    meter->tick(2);
    scratch = scratch + block[0];
    brownout_checkpoint();
    delete[] block;
    return odometer.total == 9 ? 0 : 1;
}
