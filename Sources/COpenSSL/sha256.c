#include "consentlink_openssl.h"

#include <openssl/err.h>
#include <openssl/evp.h>

/* A cl_sha256 is an EVP_MD_CTX that is always ready for bytes; the pointers are the same. */
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
    /* Without an algorithm the context starts over with the one it has. */
    if (finished && EVP_DigestInit_ex2(context_of(sha256), NULL, NULL)) { return true; }
    ERR_clear_error();
    return false;
}

void cl_sha256_free(cl_sha256 *sha256) { EVP_MD_CTX_free(context_of(sha256)); }
