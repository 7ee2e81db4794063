// EEPROM emulation on two flash pages: a variable is written by appending its value to the valid
// page; a full page is moved to the other one. A page's state is in its first words.
#include <assert.h>
#include <stdint.h>
#include <string.h>

#include <brownout.h>

enum { PAGE = 32, WORD = 4 };
enum { RECEIVING = 0x0000eeee, VALID = 0x0000aaaa };

uint32_t flash[2 * PAGE / WORD];
// The last value that was written completely.
BROWNOUT_GHOST uint32_t written;

void flash_program(uint32_t *to, const void *from, uint32_t size);
void flash_erase_page(uint32_t *page);

static void flash_program_word(uint32_t *to, uint32_t word) { flash_program(to, &word, WORD); }

static uint32_t *page(int number) { return flash + number * PAGE / WORD; }

// Two words of state: the first says that a page receives data, the second that it is valid.
static int is_receiving(int number) { return page(number)[0] == RECEIVING; }
static int is_valid(int number) { return page(number)[1] == VALID; }

static int slot(int number)
{
    int at = 2;
    while (at < PAGE / WORD && page(number)[at] != 0xffffffff)
        at++;
    return at;
}

static uint32_t last(int number)
{
    int at = slot(number);
    return at > 2 ? page(number)[at - 1] : 0;
}

static void transfer(int from, uint32_t value)
{
    int to = 1 - from;
    // An interrupted erase may have left data without the words that say so.
    flash_erase_page(page(to));
    flash_program_word(&page(to)[0], RECEIVING);
    flash_program_word(&page(to)[2], value);
    flash_erase_page(page(from));
    flash_program_word(&page(to)[1], VALID);
}

static int valid(void)
{
    return is_valid(0) ? 0 : is_valid(1) ? 1 : -1;
}

// Start-up: a transfer that was interrupted is finished or thrown away.
static void recover(void)
{
    for (int number = 0; number < 2; number++) {
        if (is_receiving(number) && !is_valid(number)) {
            if (valid() < 0 && slot(number) > 2)
                flash_program_word(&page(number)[1], VALID);
            else
                flash_erase_page(page(number));
        }
    }
    if (valid() < 0) {
        flash_erase_page(page(0));
        flash_erase_page(page(1));
        flash_program_word(&page(0)[0], RECEIVING);
        flash_program_word(&page(0)[1], VALID);
    }
}

static void write(uint32_t value)
{
    int number = valid();
    int at = slot(number);
    if (at < PAGE / WORD)
        flash_program_word(&page(number)[at], value);
    else
        transfer(number, value);
    written = value;
}

int main(void)
{
    recover();
    uint32_t value = last(valid());
    assert(value == written || value == written + 1);
    for (value = written + 1; value <= 8; value++)
        write(value);
    return 0;
}
