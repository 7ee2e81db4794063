/* A greenhouse without a battery: sensors, a valve and a radio. */
#ifndef GREENHOUSE_H
#define GREENHOUSE_H

/* Sensors. */
int read_temperature(void);
int read_humidity(void);
void read_light(unsigned char *sample, int length);
int read_frost(void);            /* degrees above freezing */

/* Actuators. */
void valve_turn(int steps);      /* by so many steps */
void radio_send(int kind, int value);

/* The radio's baud rate. */
extern volatile unsigned UCA0BR0;

/* climate.c */
struct climate {
    int temperature, humidity, light;
};
void sense(struct climate *now);
int dryness(const struct climate *now);

/* frost.c */
void guard(void);

/* water.c */
void water(int steps);

/* report.c */
void radio_on(void);
void report(int kind, int value);

#endif
