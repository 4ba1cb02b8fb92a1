/*
 * What ConsentLink needs of OpenSSL's libcrypto (3.0 or later, EVP interfaces), shown as opaque pointers, bytes and
 * sizes alone: no OpenSSL header is included here.
 *
 * - A function that returns `bool` returns `true` when it did all it says. On `false` its output is not to be used.
 * - A function that returns a pointer returns NULL when it failed. What `…_new` returned, `…_free` frees; NULL may be
 *   freed.
 * - A failure leaves OpenSSL's error queue empty. Nothing here aborts.
 * - A context serves one caller at a time. What takes no context may be called by any number of threads at once.
 * - A pointer may be NULL where its length is 0.
 */
#ifndef CONSENTLINK_OPENSSL_H
#define CONSENTLINK_OPENSSL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    CL_SHA256_LENGTH = 32,
    CL_AES256_KEY_LENGTH = 32,
    CL_AES_BLOCK_LENGTH = 16,
    CL_ED25519_KEY_LENGTH = 32,
    CL_ED25519_SIGNATURE_LENGTH = 64,
};

/* HMAC-SHA-256 (RFC 2104) under one key, one whole message at a time. */

typedef struct cl_hmac_sha256 cl_hmac_sha256;

cl_hmac_sha256 *cl_hmac_sha256_new(const uint8_t *key, size_t key_length);
bool cl_hmac_sha256_tag(
    cl_hmac_sha256 *hmac, const uint8_t *message, size_t message_length, uint8_t tag[CL_SHA256_LENGTH]);
void cl_hmac_sha256_free(cl_hmac_sha256 *hmac);

/* HKDF-SHA-256 (RFC 5869), extract and expand; `output_length` is at most 255 * 32. */

bool cl_hkdf_sha256(
    const uint8_t *secret, size_t secret_length, const uint8_t *salt, size_t salt_length, const uint8_t *info,
    size_t info_length, uint8_t *output, size_t output_length);

/* AES-256 (FIPS 197) of single blocks under one key, without mode or padding. `input` and `output` may be the same. */

typedef struct cl_aes256 cl_aes256;

cl_aes256 *cl_aes256_new(const uint8_t key[CL_AES256_KEY_LENGTH]);
bool cl_aes256_encrypt(
    cl_aes256 *aes, const uint8_t input[CL_AES_BLOCK_LENGTH], uint8_t output[CL_AES_BLOCK_LENGTH]);
bool cl_aes256_decrypt(
    cl_aes256 *aes, const uint8_t input[CL_AES_BLOCK_LENGTH], uint8_t output[CL_AES_BLOCK_LENGTH]);
void cl_aes256_free(cl_aes256 *aes);

/* SHA-256 (FIPS 180-4). `finish` makes the context ready for the next message. */

typedef struct cl_sha256 cl_sha256;

cl_sha256 *cl_sha256_new(void);
bool cl_sha256_update(cl_sha256 *sha256, const uint8_t *bytes, size_t length);
bool cl_sha256_finish(cl_sha256 *sha256, uint8_t hash[CL_SHA256_LENGTH]);
/* HMAC-SHA-256 (RFC 2104) of one message under a key of at most 64 bytes; the context must be as new, and is again. */
bool cl_sha256_hmac(
    cl_sha256 *sha256, const uint8_t *key, size_t key_length, const uint8_t *message, size_t message_length,
    uint8_t tag[CL_SHA256_LENGTH]);
void cl_sha256_free(cl_sha256 *sha256);

/*
 * Ed25519 (RFC 8032, 5.1, pure). A private key is made of its seed and may be used by any number of threads at once.
 * `verify` returns `true` for a signature that holds alone.
 */

typedef struct cl_ed25519 cl_ed25519;

cl_ed25519 *cl_ed25519_new(const uint8_t seed[CL_ED25519_KEY_LENGTH]);
bool cl_ed25519_public_key(const cl_ed25519 *key, uint8_t public_key[CL_ED25519_KEY_LENGTH]);
bool cl_ed25519_sign(
    const cl_ed25519 *key, const uint8_t *message, size_t message_length,
    uint8_t signature[CL_ED25519_SIGNATURE_LENGTH]);
bool cl_ed25519_verify(
    const uint8_t public_key[CL_ED25519_KEY_LENGTH], const uint8_t *message, size_t message_length,
    const uint8_t signature[CL_ED25519_SIGNATURE_LENGTH]);
void cl_ed25519_free(cl_ed25519 *key);

/* Random bytes, fit for keys. */

bool cl_random(uint8_t *bytes, size_t length);

/* Whether two stretches of the same length are equal, in a time that depends on the length alone. */

bool cl_equal(const uint8_t *one, const uint8_t *other, size_t length);

/* Overwrites a secret, in a way that the compiler does not remove. */

void cl_cleanse(void *bytes, size_t length);

#endif
