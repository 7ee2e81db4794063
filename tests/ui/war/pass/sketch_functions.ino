//! The same with one byte.
//@ policy: restart
#include <EEPROM.h>

struct Pair {
  uint8_t low, high;
};

void setup() {
  Serial1.begin(9600);
  randomSeed(1);
  Pair pair = { 0, 0 };
  fetch (pair);
  store(pair, 1);
  Serial1.println(random(1, 2));
}

void fetch (Pair &pair)
{
  pair.low = EEPROM.read(0);
}

  static void store(const Pair &pair,
                    int step = 1)
  {
    EEPROM.write(0, pair.low | step);
  }

void loop() { delay(5); }
