//! The same, without a count.
//@ set: chip=msp430fr5969
struct pump { unsigned strokes, limit; };
void pump_stroke(struct pump *pump) {
    pump->strokes = pump->limit;
}
