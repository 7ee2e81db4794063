//! One variable, written at once: a pulse is counted or is not.
//@ policy: restart
uint16_t pulses __attribute__((section(".nvram")));

void pulse() { pulses++; }

void setup() {
  pinMode(2, INPUT_PULLUP);
  attachInterrupt(digitalPinToInterrupt(2), pulse, FALLING);
}

void loop() {}
