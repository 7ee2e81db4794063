//! A lock is released on every way out of its scope, through one and the same code: one way leaves without a result.
//@ args: --static
//@ config: [[input]]
//@ config: function = "pulse"
//@ config: [[output]]
//@ config: function = "lock_set"
#include <cstdint>

extern "C" {
std::uint16_t pulse();
void lock_set(bool taken);
}

struct Lock {
    Lock() { lock_set(true); }
    ~Lock() { lock_set(false); }
};

class Sensor {
  public:
    bool read();

  private:
    std::uint16_t width;
    bool valid;
};

bool Sensor::read() {
    {
        Lock lock;
        std::uint16_t first = pulse();
        if (first == 0xffff) { //~ ERROR [repeated-input] whether `this->valid` is written
            width = 0;
            return false;
        }
        width = first;
    }
    valid = true;
    return valid;
}
