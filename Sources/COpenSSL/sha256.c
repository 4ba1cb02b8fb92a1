#include "consentlink_openssl.h"

#include <string.h>

#include <openssl/crypto.h>
#include <openssl/err.h>
#include <openssl/evp.h>

/* A cl_sha256 is an EVP_MD_CTX that is always initialised; the pointers are the same. */
static EVP_MD_CTX *context_of(cl_sha256 *sha256) { return (EVP_MD_CTX *)sha256; }

cl_sha256 *cl_sha256_new(void) {
    EVP_MD *algorithm = EVP_MD_fetch(NULL, "SHA256", NULL);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool ready = algorithm != NULL && context != NULL && EVP_DigestInit_ex2(context, algorithm, NULL);
    EVP_MD_free(algorithm);
    if (ready) { return (cl_sha256 *)context; }
    EVP_MD_CTX_free(context);
    ERR_clear_error();
    return NULL;
}

bool cl_sha256_update(cl_sha256 *sha256, const uint8_t *bytes, size_t length) {
    if (length == 0 || EVP_DigestUpdate(context_of(sha256), bytes, length)) { return true; }
    ERR_clear_error();
    return false;
}

bool cl_sha256_finish(cl_sha256 *sha256, uint8_t hash[CL_SHA256_LENGTH]) {
    unsigned int length = 0;
    bool finished = EVP_DigestFinal_ex(context_of(sha256), hash, &length) && length == CL_SHA256_LENGTH;
    /* Without an algorithm the context starts again with its own. */
    if (finished && EVP_DigestInit_ex2(context_of(sha256), NULL, NULL)) { return true; }
    ERR_clear_error();
    return false;
}

static bool update_with_pad(cl_sha256 *sha256, const uint8_t *key, size_t key_length, uint8_t pad) {
    uint8_t block[64];
    memset(block, pad, sizeof block);
    for (size_t place = 0; place < key_length; place++) { block[place] ^= key[place]; }
    bool done = cl_sha256_update(sha256, block, sizeof block);
    OPENSSL_cleanse(block, sizeof block);
    return done;
}

/* If each message has a key of its own, the overhead of EVP_MAC costs as much as the hashing. */
bool cl_sha256_hmac(
    cl_sha256 *sha256, const uint8_t *key, size_t key_length, const uint8_t *message, size_t message_length,
    uint8_t tag[CL_SHA256_LENGTH]) {
    uint8_t inner[CL_SHA256_LENGTH];
    return key_length <= 64 && update_with_pad(sha256, key, key_length, 0x36)
        && cl_sha256_update(sha256, message, message_length) && cl_sha256_finish(sha256, inner)
        && update_with_pad(sha256, key, key_length, 0x5c) && cl_sha256_update(sha256, inner, sizeof inner)
        && cl_sha256_finish(sha256, tag);
}

void cl_sha256_free(cl_sha256 *sha256) { EVP_MD_CTX_free(context_of(sha256)); }
