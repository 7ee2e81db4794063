//! A sorted histogram: samples are counted into the other half of a pair of histograms, which then
//! becomes the current one; the order of its buckets is made anew each time.
#include <brownout.h>
int sense(void) BROWNOUT_INPUT;
BROWNOUT_NV unsigned char counts[16];
BROWNOUT_NV unsigned char order[8];
BROWNOUT_NV unsigned char current;
static void count(unsigned char from, unsigned char to) {
    for (unsigned char bucket = 0; bucket < 8; bucket++)
        counts[to + bucket] = counts[from + bucket];
    unsigned char bucket = sense() & 7;
    counts[to + bucket]++;
}
static void sort(unsigned char base) {
    for (unsigned char i = 0; i < 8; i++) {
        unsigned char rank = 0;
        for (unsigned char j = 0; j < 8; j++)
            if (counts[base + j] > counts[base + i] || (counts[base + j] == counts[base + i] && j < i))
                rank++;
        order[rank & 7] = i;
    }
}
int main(void) {
    for (;;) {
        brownout_checkpoint();
        unsigned char from = current & 8;
        count(from, from ^ 8);
        current = from ^ 8;
        brownout_checkpoint();
        sort(current & 8);
    }
}
