/* SPDX-License-Identifier: BSD-3-Clause */
/* rendezvous.h - the processes of a job meet at an address that all know */
/*
 * Rank 0 listens there; the others connect, both show that they know the secret (proof.h), and the
 * others bring some bytes. When all are there, or time has run out, rank 0 answers each of them. It
 * hears all at once (visitors.h), so that strangers keep nobody waiting. Nothing is encrypted.
 */
#ifndef PLINK_LIB_RENDEZVOUS_H
#define PLINK_LIB_RENDEZVOUS_H

#include "lib/plink.h"

#include <stddef.h>
#include <stdint.h>

struct pl_rendezvous {
	struct pl_meeting meeting;
	size_t rank, n;
	double timeout_s;
	/* [n - 1] names of ranks 1 and on, which are hubs; NULL: they are
	 * ranks */
	char *const *hub;
};

/* A gather of pl_communicator_create(); @with is a struct pl_rendezvous. */
int pl_rendezvous_gather(void *with, const void *mine, size_t bytes, void *all,
			 struct pl_error *error);

#endif
