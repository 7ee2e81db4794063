// An odometer in FRAM, in C++: `brownout check examples/cpp/odometer.cpp`.
#include <brownout.h>
#include <cstdint>

// Called by the timer; what it counts is up to the class.
struct Counter {
    virtual void step(std::uint16_t by) = 0;
};

class Odometer : public Counter {
  public:
    explicit Odometer(std::uint16_t start) : total(start) {}
    void step(std::uint16_t by) override { total += by; }
    std::uint16_t value() const { return total; }

  private:
    std::uint16_t total;
};

BROWNOUT_NV Odometer odometer(0); // constructed before main

int main() {
    Counter &counter = odometer;
    for (int turn = 0; turn < 3; turn++) {
        brownout_checkpoint();
        counter.step(2);
    }
    return odometer.value() == 6 ? 0 : 1;
}
