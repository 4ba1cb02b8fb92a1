#include "consentlink_openssl.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

/* OSSL_PARAM has no const form; HKDF only reads its parameters. */
static OSSL_PARAM octets(const char *name, const uint8_t *bytes, size_t length) {
    return OSSL_PARAM_construct_octet_string(name, (void *)(uintptr_t)bytes, length);
}

bool cl_hkdf_sha256(
    const uint8_t *secret, size_t secret_length, const uint8_t *salt, size_t salt_length, const uint8_t *info,
    size_t info_length, uint8_t *output, size_t output_length) {
    char digest[] = OSSL_DIGEST_NAME_SHA2_256;
    OSSL_PARAM parameters[5];
    size_t count = 0;
    parameters[count++] = OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, digest, 0);
    parameters[count++] = octets(OSSL_KDF_PARAM_KEY, secret, secret_length);
    /* A missing salt or info counts as empty (RFC 5869, 2.2 and 2.3). */
    if (salt_length > 0) { parameters[count++] = octets(OSSL_KDF_PARAM_SALT, salt, salt_length); }
    if (info_length > 0) { parameters[count++] = octets(OSSL_KDF_PARAM_INFO, info, info_length); }
    parameters[count] = OSSL_PARAM_construct_end();

    EVP_KDF *algorithm = EVP_KDF_fetch(NULL, OSSL_KDF_NAME_HKDF, NULL);
    EVP_KDF_CTX *context = algorithm != NULL ? EVP_KDF_CTX_new(algorithm) : NULL;
    EVP_KDF_free(algorithm);
    bool derived = context != NULL && EVP_KDF_derive(context, output, output_length, parameters) > 0;
    EVP_KDF_CTX_free(context);
    if (!derived) { ERR_clear_error(); }
    return derived;
}
