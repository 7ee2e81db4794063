//! The same, with what is overwritten saved by the checkpoint.
//@ policy: static
#include <io430.h>
#include <brownout.h>

__persistent unsigned int count = 0;
__no_init unsigned int kept @ ".fram_kept";
__no_init unsigned int boots;

int main(void) {
    WDTCTL = WDTPW + WDTHOLD;
    brownout_checkpoint_with(&count, sizeof count, &kept, sizeof kept, &boots, sizeof boots);
    count = count + 1;
    kept = kept + 1;
    boots = boots + 1;
    brownout_checkpoint();
    return 0;
}
