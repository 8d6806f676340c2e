/* SPDX-License-Identifier: BSD-3-Clause */
/* proof.c - two processes show one another that they know a secret */
#include "config.h"

#include "lib/proof.h"

#include <sodium.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>

_Static_assert(PL_PROOF_BYTES == crypto_generichash_BYTES, "a proof is a hash");

bool pl_nonce_draw(unsigned char nonce[PL_NONCE_BYTES])
{
	return getrandom(nonce, PL_NONCE_BYTES, 0) == PL_NONCE_BYTES;
}

void pl_proof_make(const struct pl_proof *p, unsigned char proof[PL_PROOF_BYTES])
{
	crypto_generichash_state state;

	crypto_generichash_init(&state, (const unsigned char *)p->way, strlen(p->way),
				PL_PROOF_BYTES);
	crypto_generichash_update(&state, p->said, p->bytes);
	crypto_generichash_update(&state, p->nonces->connects, PL_NONCE_BYTES);
	crypto_generichash_update(&state, p->nonces->listens, PL_NONCE_BYTES);
	crypto_generichash_update(&state, (const unsigned char *)p->secret, strlen(p->secret));
	crypto_generichash_final(&state, proof, PL_PROOF_BYTES);
}

bool pl_proof_challenge(int fd, const struct pl_proof *mine, struct pl_nonces *nonces)
{
	struct pl_challenge c;

	if (!pl_nonce_draw(nonces->listens))
		return false;
	memcpy(c.nonce, nonces->listens, sizeof(c.nonce));
	pl_proof_make(mine, c.proof);
	return send(fd, &c, sizeof(c), MSG_NOSIGNAL | MSG_DONTWAIT) == (ssize_t)sizeof(c);
}

bool pl_proof_is(const struct pl_proof *p, const unsigned char proof[PL_PROOF_BYTES])
{
	unsigned char want[PL_PROOF_BYTES];

	pl_proof_make(p, want);
	return sodium_memcmp(proof, want, sizeof(want)) == 0;
}
