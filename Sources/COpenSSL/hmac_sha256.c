#include "consentlink_openssl.h"

#include <openssl/core_names.h>
#include <openssl/err.h>
#include <openssl/evp.h>
#include <openssl/params.h>

/* A cl_hmac_sha256 is a keyed EVP_MAC_CTX; the pointers are the same. */
static EVP_MAC_CTX *context_of(cl_hmac_sha256 *hmac) { return (EVP_MAC_CTX *)hmac; }

cl_hmac_sha256 *cl_hmac_sha256_new(const uint8_t *key, size_t key_length) {
    static const uint8_t empty_key[1];
    char digest[] = OSSL_DIGEST_NAME_SHA2_256;
    const OSSL_PARAM parameters[] = {
        OSSL_PARAM_construct_utf8_string(OSSL_MAC_PARAM_DIGEST, digest, 0),
        OSSL_PARAM_construct_end(),
    };
    EVP_MAC *algorithm = EVP_MAC_fetch(NULL, OSSL_MAC_NAME_HMAC, NULL);
    EVP_MAC_CTX *context = algorithm != NULL ? EVP_MAC_CTX_new(algorithm) : NULL;
    EVP_MAC_free(algorithm);
    /* EVP_MAC_init takes a NULL key for "the previous key", so an empty key needs an address. */
    if (context == NULL || !EVP_MAC_init(context, key_length > 0 ? key : empty_key, key_length, parameters)) {
        EVP_MAC_CTX_free(context);
        ERR_clear_error();
        return NULL;
    }
    return (cl_hmac_sha256 *)context;
}

bool cl_hmac_sha256_tag(
    cl_hmac_sha256 *hmac, const uint8_t *message, size_t message_length, uint8_t tag[CL_SHA256_LENGTH]) {
    EVP_MAC_CTX *context = context_of(hmac);
    size_t length = 0;
    /* Without key and parameters the context starts again from the padded key that it has hashed already: nothing is
       fetched, and a short message costs one compression of the inner hash and one of the outer. */
    if (EVP_MAC_init(context, NULL, 0, NULL)
        && (message_length == 0 || EVP_MAC_update(context, message, message_length))
        && EVP_MAC_final(context, tag, &length, CL_SHA256_LENGTH) && length == CL_SHA256_LENGTH) {
        return true;
    }
    ERR_clear_error();
    return false;
}

void cl_hmac_sha256_free(cl_hmac_sha256 *hmac) { EVP_MAC_CTX_free(context_of(hmac)); }
