// A tiny file system on FRAM: two files that must change together, through a journal of one
// transaction. Every store is an operation; wide ones can be torn.
#include <assert.h>
#include <stdint.h>

#include <brownout.h>

enum { FILES = 2 };

struct entry {
    uint16_t file;
    uint16_t size;
};

// Volatile: the compiler may neither leave out stores nor move them.
BROWNOUT_NV volatile struct {
    uint16_t size[FILES];
    // The journal: what the transaction writes, and whether it is complete.
    struct entry entries[FILES];
    uint16_t committed;
} disk;

// The size that both files had when the last transaction was acknowledged.
BROWNOUT_GHOST uint16_t acknowledged;

static void replay(void)
{
    if (!disk.committed)
        return;
    // Done twice it does the same; it is finished when all of it is done.
    for (int i = 0; i < FILES; i++)
        disk.size[disk.entries[i].file] = disk.entries[i].size;
    disk.committed = 0;
}

static void resize(uint16_t size)
{
    for (uint16_t i = 0; i < FILES; i++) {
        disk.entries[i].file = i;
        disk.entries[i].size = size;
    }
    disk.committed = 1;
    replay();
    acknowledged = size;
}

int main(void)
{
    replay();
    assert(disk.size[0] == disk.size[1]);
    assert(disk.size[0] == acknowledged || disk.size[0] == acknowledged + 1);
    for (uint16_t size = acknowledged + 1; size <= 3; size++)
        resize(size);
    return 0;
}
