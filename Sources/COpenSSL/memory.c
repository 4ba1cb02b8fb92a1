#include "consentlink_openssl.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/rand.h>

bool cl_random(uint8_t *bytes, size_t length) {
    while (length > 0) {
        int part = length < INT_MAX ? (int)length : INT_MAX;
        if (RAND_bytes(bytes, part) != 1) {
            ERR_clear_error();
            return false;
        }
        bytes += part;
        length -= (size_t)part;
    }
    return true;
}

bool cl_equal(const uint8_t *one, const uint8_t *other, size_t length) {
    return length == 0 || CRYPTO_memcmp(one, other, length) == 0;
}

void cl_cleanse(void *bytes, size_t length) {
    if (length > 0) { OPENSSL_cleanse(bytes, length); }
}
