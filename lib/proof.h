/* SPDX-License-Identifier: BSD-3-Clause */
/* proof.h - two processes show one another that they know a secret */
/*
 * Who connects draws a nonce and sends it with its first proof. Only if that is right, who listens
 * answers, with a nonce of its own and a proof of both; the second proof of who connects is of both
 * nonces, too. So what somebody has recorded proves nothing on another connection, and who does not
 * know the secret gets no answer.
 */
#ifndef PLINK_LIB_PROOF_H
#define PLINK_LIB_PROOF_H

#include <stdbool.h>
#include <stddef.h>

#define PL_PROOF_BYTES 32
#define PL_NONCE_BYTES 16

struct pl_nonces {
	unsigned char connects[PL_NONCE_BYTES], listens[PL_NONCE_BYTES];
};

/* What a proof is of. */
struct pl_proof {
	const char *way;  /* who says it to whom: no two messages share one */
	const void *said; /* what else it confirms */
	size_t bytes;
	const struct pl_nonces *nonces; /* zeros: not known as yet */
	const char *secret;
};

/* What who listens answers to the first proof. */
struct pl_challenge {
	unsigned char nonce[PL_NONCE_BYTES], proof[PL_PROOF_BYTES];
};

/* Fills a nonce with random bytes of the kernel. false: it has none. */
bool pl_nonce_draw(unsigned char nonce[PL_NONCE_BYTES]);

/* A hash of all. */
void pl_proof_make(const struct pl_proof *p, unsigned char proof[PL_PROOF_BYTES]);

/* Who listens: draws its nonce, and sends it with that proof, of both, without waiting. false: it
 * cannot. */
bool pl_proof_challenge(int fd, const struct pl_proof *mine, struct pl_nonces *nonces);

/* Is it that proof? Takes as long whatever is wrong. */
bool pl_proof_is(const struct pl_proof *p, const unsigned char proof[PL_PROOF_BYTES]);

#endif
