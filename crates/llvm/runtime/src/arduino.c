/* arduino.c: what is left to be read from the ports of a sketch.  It is kept here and not in the program because it is
 * lost with power, whatever the program's own variables are. */

struct __brownout_port {
    unsigned char waiting, is_next_known, next;
};

struct __brownout_port *__brownout_port(int number) {
    static struct __brownout_port ports[4];
    return &ports[number & 3];
}
