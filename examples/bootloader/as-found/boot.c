// An A/B bootloader: image 2 is swapped in through a scratch block, and swapped back unless the
// application confirms it. Progress is kept in a trailer, one word per step, programmed in order.
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include <brownout.h>

enum { BLOCK = 64, SLOT1 = 0, SLOT2 = 64, SCRATCH = 128, TRAILER = 192, FLASH = 256 };
enum { OLD = 0x11, NEW = 0x22, MARK = 0x5a };

// Whether the application has confirmed the new image; here it never does.
BROWNOUT_GHOST int confirmed;

// An image is its version, all over the block. The new one was swapped in by an earlier boot.
uint8_t flash[FLASH] = {
    [SLOT1 ... SLOT1 + BLOCK - 1] = NEW,
    [SLOT2 ... SLOT2 + BLOCK - 1] = OLD,
    [SCRATCH ... TRAILER - 1] = 0xff,
    [TRAILER ... TRAILER + 4 * 8 - 1] = MARK,
    [TRAILER + 4 * 8 ... FLASH - 1] = 0xff,
};

void flash_write(uint32_t to, const void *from, uint32_t size);
void flash_erase(uint32_t block);

static int is_set(int step) { return flash[TRAILER + 8 * step] == MARK; }

static void set(int step)
{
    const uint8_t word[8] = {MARK};
    flash_write(TRAILER + 8 * step, word, sizeof word);
}

static void move(uint32_t to, uint32_t from)
{
    uint8_t buffer[BLOCK];
    memcpy(buffer, flash + from, BLOCK);
    flash_erase(to);
    flash_write(to, buffer, BLOCK);
}

// Steps 0 to 2 swap; each is done again unless the mark says that it is done.
static void swap(int first)
{
    if (!is_set(first)) {
        move(SCRATCH, SLOT1);
        set(first);
    }
    if (!is_set(first + 1)) {
        move(SLOT1, SLOT2);
        set(first + 1);
    }
    if (!is_set(first + 2)) {
        move(SLOT2, SCRATCH);
        set(first + 2);
    }
}

static void revert(void)
{
    // The marks of the swap are used again for the way back.
    flash_erase(TRAILER);
    swap(0);
    set(7);
}

static int is_whole(uint32_t slot)
{
    for (int i = 1; i < BLOCK; i++)
        if (flash[slot + i] != flash[slot])
            return 0;
    return flash[slot] == OLD || flash[slot] == NEW;
}

int main(void)
{
    if (!is_set(7)) {
        if (!is_set(3)) {
            swap(0);
            set(3);
        } else if (!confirmed) {
            revert();
        }
    }
    // Whatever happens, there is an image to start, and after the way back it is the old one.
    assert(is_whole(SLOT1));
    if (is_set(7))
        assert(flash[SLOT1] == OLD);
    return 0;
}
