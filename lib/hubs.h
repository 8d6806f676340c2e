/* SPDX-License-Identifier: BSD-3-Clause */
/* hubs.h - how hubs come to a job: what rank 0 gives them, and where */
/*
 * Hubs are the aggregators of the schedules. Rank 0 waits for them at PLINK_HUB_MEET (HOST:PORT),
 * with the secret in the file PLINK_HUB_SECRET, and tells each of them where all ranks are; the
 * hubs connect to these. Hubs of several jobs listen themselves, at PLINK_HUBS (HOST:PORT,...), and
 * know this one as PLINK_HUB_JOB.
 */
#ifndef PLINK_LIB_HUBS_H
#define PLINK_LIB_HUBS_H

#include "base/err.h"
#include "engine/mesh.h"
#include "engine/schedule.h"
#include "lib/plink.h"

#include <stddef.h>
#include <stdint.h>

/* What processes and hubs tell each other; numbers in network order. */
struct pl_card {
	/* of the file; PL_CARD_NO_HOST: it has found none. In what rank 0 gives to hubs: the number
	 * of the process in the schedules */
	uint32_t host;
	unsigned char digest[8];
	unsigned char key[PL_MESH_KEY_BYTES]; /* rank 0's is the job's */
	unsigned char address[16];            /* IPv4 as ::ffff:a.b.c.d */
	uint16_t port, zero;
};
#define PL_CARD_NO_HOST UINT32_MAX

void pl_card_digest(struct pl_card *card, uint64_t digest);
uint64_t pl_card_get_digest(const struct pl_card *card);

/* Sets the names and numbers of hubs for messages. */
void pl_hubs_name(struct pl_mesh_options *o, const struct pl_schedules *s);

/* A secret from a file that is its owner's alone, without the end of its line.
 * NULL with @err set; the
 * caller frees it. */
char *pl_hubs_secret(const char *path, struct pl_err *err);

/* Rank 0: has all hubs of the schedules come, or asks those that listen (service.h), and gives them
 * card[n], by number of the process. 0, or -1 with @err set: PL_EUSAGE where the environment does
 * not say where, PL_ESYSTEM for a hub that has not come in time, or what it says. */
int pl_hubs_serve(const struct pl_schedules *s, const struct pl_card *card, size_t n,
		  double timeout_s, struct pl_err *err);

/* Hub @k: goes there with hub[k], its own card, and gets card[n] and the cards of all hubs,
 * hub[s->n_aggregators]. 0, or -1 with @err set. */
int pl_hubs_go(const struct pl_schedules *s, size_t k, const struct pl_meeting *meeting,
	       struct pl_card *card, size_t n, struct pl_card *hub, double timeout_s,
	       struct pl_err *err);

#endif
