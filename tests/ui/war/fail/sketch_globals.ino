//! What a serial port keeps is lost with power, whatever the variables of the sketch are: only the sum is told.
//@ nv: globals
int total;

void setup() { Serial.begin(9600); }

void loop() {
  brownout_checkpoint();
  int received = Serial.read();
  total = total + received; //~ ERROR [war] `total`
}
