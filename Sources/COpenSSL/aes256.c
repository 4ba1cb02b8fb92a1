#include "consentlink_openssl.h"

#include <openssl/err.h>
#include <openssl/evp.h>
#include <stdlib.h>

/* ECB without padding is the bare block cipher and keeps no state from one block to the next, so a keyed context
   serves any number of blocks with one EVP_CipherUpdate each. */
struct cl_aes256 {
    EVP_CIPHER_CTX *encryption;
    EVP_CIPHER_CTX *decryption;
};

static EVP_CIPHER_CTX *context_new(const EVP_CIPHER *algorithm, const uint8_t *key, int encrypts) {
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    if (context != NULL && EVP_CipherInit_ex2(context, algorithm, key, NULL, encrypts, NULL)
        && EVP_CIPHER_CTX_set_padding(context, 0)) {
        return context;
    }
    EVP_CIPHER_CTX_free(context);
    return NULL;
}

static bool transform(EVP_CIPHER_CTX *context, const uint8_t *input, uint8_t *output) {
    int length = 0;
    if (EVP_CipherUpdate(context, output, &length, input, CL_AES_BLOCK_LENGTH) && length == CL_AES_BLOCK_LENGTH) {
        return true;
    }
    ERR_clear_error();
    return false;
}

cl_aes256 *cl_aes256_new(const uint8_t key[CL_AES256_KEY_LENGTH]) {
    EVP_CIPHER *algorithm = EVP_CIPHER_fetch(NULL, "AES-256-ECB", NULL);
    cl_aes256 *aes = calloc(1, sizeof *aes);
    if (algorithm != NULL && aes != NULL) {
        aes->encryption = context_new(algorithm, key, 1);
        aes->decryption = context_new(algorithm, key, 0);
    }
    EVP_CIPHER_free(algorithm);
    if (aes != NULL && aes->encryption != NULL && aes->decryption != NULL) { return aes; }
    cl_aes256_free(aes);
    ERR_clear_error();
    return NULL;
}

bool cl_aes256_encrypt(
    cl_aes256 *aes, const uint8_t input[CL_AES_BLOCK_LENGTH], uint8_t output[CL_AES_BLOCK_LENGTH]) {
    return transform(aes->encryption, input, output);
}

bool cl_aes256_decrypt(
    cl_aes256 *aes, const uint8_t input[CL_AES_BLOCK_LENGTH], uint8_t output[CL_AES_BLOCK_LENGTH]) {
    return transform(aes->decryption, input, output);
}

void cl_aes256_free(cl_aes256 *aes) {
    if (aes == NULL) { return; }
    EVP_CIPHER_CTX_free(aes->encryption);
    EVP_CIPHER_CTX_free(aes->decryption);
    free(aes);
}
