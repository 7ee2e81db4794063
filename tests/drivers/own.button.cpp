// A push button that bounces: a class that its users make an object of, for a pin of theirs.
#include <stdint.h>

extern "C" {
bool pin_level(uint8_t pin);
uint32_t clock_ms(void);
}

class Button {
  public:
    Button(uint8_t pin, uint16_t settle) : pin(pin), settle(settle), since(0), down(false), presses(0) {}
    bool poll();
    uint16_t count() const { return presses; }

  private:
    uint8_t pin;
    uint16_t settle;
    uint32_t since;
    bool down;
    uint16_t presses;
};

bool Button::poll() {
    bool level = pin_level(pin);
#ifdef MENDED
    since = clock_ms();
    down = level;
#else
    if (level != down) { //~ repeated-input this->down, this->presses, this->since
        since = clock_ms();
        down = level; //~ war this->down
        if (level) { //~ repeated-input this->presses
            presses++; //~ war this->presses
        }
    }
#endif
    return down;
}

uint16_t presses_of(const Button &button) { return button.count(); }
