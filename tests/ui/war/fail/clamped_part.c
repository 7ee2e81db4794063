//! A driver overwrites one member of what it is given in several places: that is one defect.
//@ args: --static
struct meter {
    int sum, limit;
};

void meter_add(struct meter *meter, int by) {
    meter->sum += by; //~ ERROR [war] `meter->sum` may be read, then overwritten
    if (meter->sum > meter->limit) {
        meter->sum = meter->limit; //~ ERROR [war] `meter->sum` may be read, then overwritten
    }
}
