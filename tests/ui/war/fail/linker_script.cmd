/* Memory of an MSP430FR5969, as far as the program needs it. */
MEMORY
{
    RAM  : origin = 0x1C00, length = 0x0800
    FRAM : origin = 0x4400, length = 0xBB80
}
SECTIONS
{
    GROUP(READ_WRITE) { .TI.persistent : {} .settings : {} } > FRAM
    .scratch : {} > RAM
    .bss     : {} > RAM
}
