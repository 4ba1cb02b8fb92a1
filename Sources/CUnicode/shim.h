// Domain names (libidn2) and normal forms of text (libunistring), from the packages that Deploy/install brings in.
#include <idn2.h>
#include <stdlib.h>
#include <unicase.h>
#include <uninorm.h>

// UNINORM_NFC is a macro that Swift does not import. The caller must free() the result; NULL if the text is not UTF-32.
static inline uint32_t *consentlink_nfc(const uint32_t *text, size_t length, size_t *result_length) {
    return u32_normalize(UNINORM_NFC, text, length, NULL, result_length);
}
