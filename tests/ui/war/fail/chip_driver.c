//! A driver for a chip: nothing of its own is non-volatile, what its callers pass may be.
//@ set: chip=msp430fr5969
struct pump { unsigned strokes, limit; };
void pump_stroke(struct pump *pump) {
    pump->strokes++; //~ ERROR [war] `pump->strokes`; confirmed; `pump->strokes` = 2 instead of 1
}
