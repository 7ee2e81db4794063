//! Every name that C11 has in <inttypes.h> is there: formats of exact types.
#define _GNU_SOURCE 1
#include <inttypes.h>
#include <stdio.h>

#ifndef PRId8
#error PRId8
#endif
#ifndef PRId16
#error PRId16
#endif
#ifndef PRId32
#error PRId32
#endif
#ifndef PRId64
#error PRId64
#endif
#ifndef PRIdLEAST8
#error PRIdLEAST8
#endif
#ifndef PRIdLEAST16
#error PRIdLEAST16
#endif
#ifndef PRIdLEAST32
#error PRIdLEAST32
#endif
#ifndef PRIdLEAST64
#error PRIdLEAST64
#endif
#ifndef PRIdFAST8
#error PRIdFAST8
#endif
#ifndef PRIdFAST16
#error PRIdFAST16
#endif
#ifndef PRIdFAST32
#error PRIdFAST32
#endif
#ifndef PRIdFAST64
#error PRIdFAST64
#endif
#ifndef PRIdMAX
#error PRIdMAX
#endif
#ifndef PRIdPTR
#error PRIdPTR
#endif
#ifndef PRIi8
#error PRIi8
#endif
#ifndef PRIi16
#error PRIi16
#endif
#ifndef PRIi32
#error PRIi32
#endif
#ifndef PRIi64
#error PRIi64
#endif
#ifndef PRIiLEAST8
#error PRIiLEAST8
#endif
#ifndef PRIiLEAST16
#error PRIiLEAST16
#endif
#ifndef PRIiLEAST32
#error PRIiLEAST32
#endif
#ifndef PRIiLEAST64
#error PRIiLEAST64
#endif
#ifndef PRIiFAST8
#error PRIiFAST8
#endif
#ifndef PRIiFAST16
#error PRIiFAST16
#endif
#ifndef PRIiFAST32
#error PRIiFAST32
#endif
#ifndef PRIiFAST64
#error PRIiFAST64
#endif
#ifndef PRIiMAX
#error PRIiMAX
#endif
#ifndef PRIiPTR
#error PRIiPTR
#endif
#ifndef PRIo8
#error PRIo8
#endif
#ifndef PRIo16
#error PRIo16
#endif
#ifndef PRIo32
#error PRIo32
#endif
#ifndef PRIo64
#error PRIo64
#endif
#ifndef PRIoLEAST8
#error PRIoLEAST8
#endif
#ifndef PRIoLEAST16
#error PRIoLEAST16
#endif
#ifndef PRIoLEAST32
#error PRIoLEAST32
#endif
#ifndef PRIoLEAST64
#error PRIoLEAST64
#endif
#ifndef PRIoFAST8
#error PRIoFAST8
#endif
#ifndef PRIoFAST16
#error PRIoFAST16
#endif
#ifndef PRIoFAST32
#error PRIoFAST32
#endif
#ifndef PRIoFAST64
#error PRIoFAST64
#endif
#ifndef PRIoMAX
#error PRIoMAX
#endif
#ifndef PRIoPTR
#error PRIoPTR
#endif
#ifndef PRIu8
#error PRIu8
#endif
#ifndef PRIu16
#error PRIu16
#endif
#ifndef PRIu32
#error PRIu32
#endif
#ifndef PRIu64
#error PRIu64
#endif
#ifndef PRIuLEAST8
#error PRIuLEAST8
#endif
#ifndef PRIuLEAST16
#error PRIuLEAST16
#endif
#ifndef PRIuLEAST32
#error PRIuLEAST32
#endif
#ifndef PRIuLEAST64
#error PRIuLEAST64
#endif
#ifndef PRIuFAST8
#error PRIuFAST8
#endif
#ifndef PRIuFAST16
#error PRIuFAST16
#endif
#ifndef PRIuFAST32
#error PRIuFAST32
#endif
#ifndef PRIuFAST64
#error PRIuFAST64
#endif
#ifndef PRIuMAX
#error PRIuMAX
#endif
#ifndef PRIuPTR
#error PRIuPTR
#endif
#ifndef PRIx8
#error PRIx8
#endif
#ifndef PRIx16
#error PRIx16
#endif
#ifndef PRIx32
#error PRIx32
#endif
#ifndef PRIx64
#error PRIx64
#endif
#ifndef PRIxLEAST8
#error PRIxLEAST8
#endif
#ifndef PRIxLEAST16
#error PRIxLEAST16
#endif
#ifndef PRIxLEAST32
#error PRIxLEAST32
#endif
#ifndef PRIxLEAST64
#error PRIxLEAST64
#endif
#ifndef PRIxFAST8
#error PRIxFAST8
#endif
#ifndef PRIxFAST16
#error PRIxFAST16
#endif
#ifndef PRIxFAST32
#error PRIxFAST32
#endif
#ifndef PRIxFAST64
#error PRIxFAST64
#endif
#ifndef PRIxMAX
#error PRIxMAX
#endif
#ifndef PRIxPTR
#error PRIxPTR
#endif
#ifndef PRIX8
#error PRIX8
#endif
#ifndef PRIX16
#error PRIX16
#endif
#ifndef PRIX32
#error PRIX32
#endif
#ifndef PRIX64
#error PRIX64
#endif
#ifndef PRIXLEAST8
#error PRIXLEAST8
#endif
#ifndef PRIXLEAST16
#error PRIXLEAST16
#endif
#ifndef PRIXLEAST32
#error PRIXLEAST32
#endif
#ifndef PRIXLEAST64
#error PRIXLEAST64
#endif
#ifndef PRIXFAST8
#error PRIXFAST8
#endif
#ifndef PRIXFAST16
#error PRIXFAST16
#endif
#ifndef PRIXFAST32
#error PRIXFAST32
#endif
#ifndef PRIXFAST64
#error PRIXFAST64
#endif
#ifndef PRIXMAX
#error PRIXMAX
#endif
#ifndef PRIXPTR
#error PRIXPTR
#endif
#ifndef SCNd8
#error SCNd8
#endif
#ifndef SCNd16
#error SCNd16
#endif
#ifndef SCNd32
#error SCNd32
#endif
#ifndef SCNd64
#error SCNd64
#endif
#ifndef SCNdLEAST8
#error SCNdLEAST8
#endif
#ifndef SCNdLEAST16
#error SCNdLEAST16
#endif
#ifndef SCNdLEAST32
#error SCNdLEAST32
#endif
#ifndef SCNdLEAST64
#error SCNdLEAST64
#endif
#ifndef SCNdFAST8
#error SCNdFAST8
#endif
#ifndef SCNdFAST16
#error SCNdFAST16
#endif
#ifndef SCNdFAST32
#error SCNdFAST32
#endif
#ifndef SCNdFAST64
#error SCNdFAST64
#endif
#ifndef SCNdMAX
#error SCNdMAX
#endif
#ifndef SCNdPTR
#error SCNdPTR
#endif
#ifndef SCNi8
#error SCNi8
#endif
#ifndef SCNi16
#error SCNi16
#endif
#ifndef SCNi32
#error SCNi32
#endif
#ifndef SCNi64
#error SCNi64
#endif
#ifndef SCNiLEAST8
#error SCNiLEAST8
#endif
#ifndef SCNiLEAST16
#error SCNiLEAST16
#endif
#ifndef SCNiLEAST32
#error SCNiLEAST32
#endif
#ifndef SCNiLEAST64
#error SCNiLEAST64
#endif
#ifndef SCNiFAST8
#error SCNiFAST8
#endif
#ifndef SCNiFAST16
#error SCNiFAST16
#endif
#ifndef SCNiFAST32
#error SCNiFAST32
#endif
#ifndef SCNiFAST64
#error SCNiFAST64
#endif
#ifndef SCNiMAX
#error SCNiMAX
#endif
#ifndef SCNiPTR
#error SCNiPTR
#endif
#ifndef SCNo8
#error SCNo8
#endif
#ifndef SCNo16
#error SCNo16
#endif
#ifndef SCNo32
#error SCNo32
#endif
#ifndef SCNo64
#error SCNo64
#endif
#ifndef SCNoLEAST8
#error SCNoLEAST8
#endif
#ifndef SCNoLEAST16
#error SCNoLEAST16
#endif
#ifndef SCNoLEAST32
#error SCNoLEAST32
#endif
#ifndef SCNoLEAST64
#error SCNoLEAST64
#endif
#ifndef SCNoFAST8
#error SCNoFAST8
#endif
#ifndef SCNoFAST16
#error SCNoFAST16
#endif
#ifndef SCNoFAST32
#error SCNoFAST32
#endif
#ifndef SCNoFAST64
#error SCNoFAST64
#endif
#ifndef SCNoMAX
#error SCNoMAX
#endif
#ifndef SCNoPTR
#error SCNoPTR
#endif
#ifndef SCNu8
#error SCNu8
#endif
#ifndef SCNu16
#error SCNu16
#endif
#ifndef SCNu32
#error SCNu32
#endif
#ifndef SCNu64
#error SCNu64
#endif
#ifndef SCNuLEAST8
#error SCNuLEAST8
#endif
#ifndef SCNuLEAST16
#error SCNuLEAST16
#endif
#ifndef SCNuLEAST32
#error SCNuLEAST32
#endif
#ifndef SCNuLEAST64
#error SCNuLEAST64
#endif
#ifndef SCNuFAST8
#error SCNuFAST8
#endif
#ifndef SCNuFAST16
#error SCNuFAST16
#endif
#ifndef SCNuFAST32
#error SCNuFAST32
#endif
#ifndef SCNuFAST64
#error SCNuFAST64
#endif
#ifndef SCNuMAX
#error SCNuMAX
#endif
#ifndef SCNuPTR
#error SCNuPTR
#endif
#ifndef SCNx8
#error SCNx8
#endif
#ifndef SCNx16
#error SCNx16
#endif
#ifndef SCNx32
#error SCNx32
#endif
#ifndef SCNx64
#error SCNx64
#endif
#ifndef SCNxLEAST8
#error SCNxLEAST8
#endif
#ifndef SCNxLEAST16
#error SCNxLEAST16
#endif
#ifndef SCNxLEAST32
#error SCNxLEAST32
#endif
#ifndef SCNxLEAST64
#error SCNxLEAST64
#endif
#ifndef SCNxFAST8
#error SCNxFAST8
#endif
#ifndef SCNxFAST16
#error SCNxFAST16
#endif
#ifndef SCNxFAST32
#error SCNxFAST32
#endif
#ifndef SCNxFAST64
#error SCNxFAST64
#endif
#ifndef SCNxMAX
#error SCNxMAX
#endif
#ifndef SCNxPTR
#error SCNxPTR
#endif

static void (*const functions[])(void) = {
    (void (*)(void))imaxabs, (void (*)(void))imaxdiv, (void (*)(void))strtoimax, (void (*)(void))strtoumax,
    (void (*)(void))wcstoimax, (void (*)(void))wcstoumax,
};

int main(void) {
    unsigned there = 0;
    for (unsigned i = 0; i < sizeof functions / sizeof *functions; i++)
        there += functions[i] != 0;
    printf("%u\n", there);
    return 0;
}
