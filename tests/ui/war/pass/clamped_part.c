//! The member is written once, and not read before.
//@ args: --static
struct meter {
    int sum, limit;
};

void meter_add(struct meter *meter, int by) {
    meter->sum = by > meter->limit ? meter->limit : by;
}
