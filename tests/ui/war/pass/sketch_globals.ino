//! The last byte is kept, which does not depend on the one before.
//@ nv: globals
int last;

void setup() { Serial.begin(9600); }

void loop() {
  brownout_checkpoint();
  int received = Serial.read();
  last = received;
}
