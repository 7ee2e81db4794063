//! The same, with the object saved by the checkpoint.
//@ policy: static
//@ nv: symbol:odometer
#include <brownout.h>
#include <cstdint>

struct Meter {
    virtual void tick(std::uint16_t by) = 0;
};

class Odometer : public Meter {
  public:
    explicit Odometer(std::uint16_t start) : total(start) {}
    void tick(std::uint16_t by) override { total = total + by; }
    std::uint16_t total;
};

Odometer odometer(7);

int main() {
    Meter *meter = &odometer;
    brownout_checkpoint_with(&odometer, sizeof odometer);
    meter->tick(2);
    brownout_checkpoint();
    return 0;
}
