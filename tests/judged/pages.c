// A serial EEPROM on SPI with pages: writes that cross pages, a write queue, a count of wear.
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

uint8_t SPI1_Exchange8bit(uint8_t data);
void EEPROM_CS_SetLow(void);
void EEPROM_CS_SetHigh(void);
void DELAY_milliseconds(uint16_t milliseconds);

#define EE_WREN 0x06
#define EE_WRITE 0x02
#define EE_READ 0x03
#define EE_RDSR 0x05
#define EE_WIP 0x01
#define EE_PAGE 32
#define EE_QUEUE 4

typedef enum { EE_OK, EE_BUSY, EE_FULL, EE_ERROR } EE_Status;

typedef struct {
    uint16_t address;
    uint8_t length;
    uint8_t data[EE_PAGE];
} EE_Request;

static EE_Request queue[EE_QUEUE];
static uint8_t queueHead;
static uint8_t queueCount;
static uint32_t pageWrites;
static uint16_t timeouts;
static bool verifyWrites = true;

static uint8_t EE_ReadStatus(void) {
    EEPROM_CS_SetLow();
    SPI1_Exchange8bit(EE_RDSR);
    uint8_t status = SPI1_Exchange8bit(0xFF);
    EEPROM_CS_SetHigh();
    return status;
}

static bool EE_WaitReady(void) {
    for (uint8_t i = 0; i < 10; i++) {
        if (!(EE_ReadStatus() & EE_WIP)) { //~ repeated-input timeouts @O0; repeated-input pageWrites @O1
            return true;
        }
        DELAY_milliseconds(1);
    }
    timeouts++; //~ war timeouts
    return false;
}

static void EE_Address(uint8_t command, uint16_t address) {
    SPI1_Exchange8bit(command);
    SPI1_Exchange8bit((uint8_t)(address >> 8));
    SPI1_Exchange8bit((uint8_t)address);
}

void EE_Read(uint16_t address, uint8_t *data, uint16_t length) {
    EEPROM_CS_SetLow();
    EE_Address(EE_READ, address);
    while (length--) {
        *data++ = SPI1_Exchange8bit(0xFF);
    }
    EEPROM_CS_SetHigh();
}

static void EE_WritePage(uint16_t address, const uint8_t *data, uint8_t length) {
    EEPROM_CS_SetLow();
    SPI1_Exchange8bit(EE_WREN);
    EEPROM_CS_SetHigh();
    EEPROM_CS_SetLow();
    EE_Address(EE_WRITE, address);
    for (uint8_t i = 0; i < length; i++) {
        SPI1_Exchange8bit(data[i]);
    }
    EEPROM_CS_SetHigh();
    pageWrites++; //~ war pageWrites
}

EE_Status EE_Queue(uint16_t address, const uint8_t *data, uint8_t length) {
    if (length > EE_PAGE) {
        return EE_ERROR;
    }
    if (queueCount == EE_QUEUE) {
        return EE_FULL;
    }
    EE_Request *request = &queue[(queueHead + queueCount) % EE_QUEUE];
    request->address = address;
    request->length = length;
    memcpy(request->data, data, length);
    queueCount++; //~ war queueCount
    return EE_OK;
}

EE_Status EE_Task(void) {
    uint8_t check[EE_PAGE];
    if (queueCount == 0) {
        return EE_OK;
    }
    if (!EE_WaitReady()) { //~ repeated-input pageWrites @O0
        return EE_BUSY;
    }
    EE_Request *request = &queue[queueHead];
    uint8_t room = (uint8_t)(EE_PAGE - request->address % EE_PAGE);
    uint8_t first = request->length < room ? request->length : room;
    EE_WritePage(request->address, request->data, first);
    if (first < request->length) {
        if (!EE_WaitReady()) { //~ repeated-input queueCount @O0
            return EE_BUSY;
        }
        EE_WritePage(request->address + first, request->data + first, request->length - first);
    }
    if (verifyWrites) {
        if (!EE_WaitReady()) { //~ repeated-input queueCount @O0
            return EE_BUSY;
        }
        EE_Read(request->address, check, request->length);
        if (memcmp(check, request->data, request->length) != 0) { //~ repeated-input queueCount
            return EE_ERROR;
        }
    }
    queueHead = (uint8_t)((queueHead + 1) % EE_QUEUE); //~ war queueHead
    queueCount--;
    return EE_OK;
}

void EE_SetVerify(bool verify) { verifyWrites = verify; }

uint32_t EE_Wear(void) { return pageWrites; }
