/*
 * The part of OpenSSL's libcrypto (3.0 or later, EVP interfaces) that ConsentLink needs. It has only opaque pointers,
 * bytes and sizes: no OpenSSL header is included here.
 *
 * - A function that returns `bool` returns `true` on success. On `false` the caller must not use its output.
 * - A function that returns a pointer returns NULL if it fails. The caller frees the result of `…_new` by `…_free`,
 *   which accepts NULL.
 * - A failure leaves OpenSSL's error queue empty. Nothing here aborts.
 * - A context serves one caller at a time. Any number of threads may call a function without a context at once.
 * - A pointer may be NULL if its length is 0.
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
/* HMAC-SHA-256 (RFC 2104) of one message under a key of at most 64 bytes. The context must be new, or finished, and is
   like new again afterwards. */
bool cl_sha256_hmac(
    cl_sha256 *sha256, const uint8_t *key, size_t key_length, const uint8_t *message, size_t message_length,
    uint8_t tag[CL_SHA256_LENGTH]);
void cl_sha256_free(cl_sha256 *sha256);

/*
 * Ed25519 (RFC 8032, 5.1, pure). A private key is made from its seed. Any number of threads may use it at once.
 * `verify` returns `true` only for a valid signature.
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

/* Whether two byte sequences of one length are equal, in a time that depends only on the length. */

bool cl_equal(const uint8_t *one, const uint8_t *other, size_t length);

/* Overwrites a secret, in a way that the compiler does not remove. */

void cl_cleanse(void *bytes, size_t length);

#endif
