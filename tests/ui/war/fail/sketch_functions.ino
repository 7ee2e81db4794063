//! Functions of a sketch are used before they are defined, as Arduino allows: with blanks, in other lines, with defaults.
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
  pair.low = EEPROM.read(0); //~ NOTE [war] read here
  pair.high = EEPROM.read(1);
}

  static void store(const Pair &pair,
                    int step = 1)
  {
    EEPROM.write(0, pair.low + step); //~ ERROR [war] `eeprom_memory[0]`
    EEPROM.write(1, pair.high + step);
  }

void loop() { delay(5); }
