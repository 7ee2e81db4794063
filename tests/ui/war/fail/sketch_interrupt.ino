//! A handler that the sketch attaches to a pin comes while the loop counts, and is counted twice or not at all.
//@ policy: restart
uint16_t pulses __attribute__((section(".nvram")));
uint16_t total __attribute__((section(".nvram")));

void pulse() {
  pulses++; //~ ERROR [war] `pulses`
  total++;
}

void setup() {
  pinMode(2, INPUT_PULLUP);
  attachInterrupt(digitalPinToInterrupt(2), pulse, FALLING);
}

void loop() {}
