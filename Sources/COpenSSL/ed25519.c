#include "consentlink_openssl.h"

#include <openssl/err.h>
#include <openssl/evp.h>

/* A cl_ed25519 is an EVP_PKEY with a private key; the pointers are the same. It is only read, so callers may share it. */
static EVP_PKEY *key_of(const cl_ed25519 *key) { return (EVP_PKEY *)(uintptr_t)key; }

static bool cleared(bool done) {
    if (!done) { ERR_clear_error(); }
    return done;
}

cl_ed25519 *cl_ed25519_new(const uint8_t seed[CL_ED25519_KEY_LENGTH]) {
    EVP_PKEY *key = EVP_PKEY_new_raw_private_key_ex(NULL, "ED25519", NULL, seed, CL_ED25519_KEY_LENGTH);
    cleared(key != NULL);
    return (cl_ed25519 *)key;
}

bool cl_ed25519_public_key(const cl_ed25519 *key, uint8_t public_key[CL_ED25519_KEY_LENGTH]) {
    size_t length = CL_ED25519_KEY_LENGTH;
    return cleared(
        EVP_PKEY_get_raw_public_key(key_of(key), public_key, &length) && length == CL_ED25519_KEY_LENGTH);
}

/* Ed25519 hashes the message itself, so no digest is named. */

bool cl_ed25519_sign(
    const cl_ed25519 *key, const uint8_t *message, size_t message_length,
    uint8_t signature[CL_ED25519_SIGNATURE_LENGTH]) {
    size_t length = CL_ED25519_SIGNATURE_LENGTH;
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool signed_ = context != NULL && EVP_DigestSignInit_ex(context, NULL, NULL, NULL, NULL, key_of(key), NULL) == 1 &&
                   EVP_DigestSign(context, signature, &length, message, message_length) == 1 &&
                   length == CL_ED25519_SIGNATURE_LENGTH;
    EVP_MD_CTX_free(context);
    return cleared(signed_);
}

bool cl_ed25519_verify(
    const uint8_t public_key[CL_ED25519_KEY_LENGTH], const uint8_t *message, size_t message_length,
    const uint8_t signature[CL_ED25519_SIGNATURE_LENGTH]) {
    EVP_PKEY *key = EVP_PKEY_new_raw_public_key_ex(NULL, "ED25519", NULL, public_key, CL_ED25519_KEY_LENGTH);
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    bool holds = key != NULL && context != NULL &&
                 EVP_DigestVerifyInit_ex(context, NULL, NULL, NULL, NULL, key, NULL) == 1 &&
                 EVP_DigestVerify(context, signature, CL_ED25519_SIGNATURE_LENGTH, message, message_length) == 1;
    EVP_MD_CTX_free(context);
    EVP_PKEY_free(key);
    return cleared(holds);
}

void cl_ed25519_free(cl_ed25519 *key) { EVP_PKEY_free(key_of(key)); }
