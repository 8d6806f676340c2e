/* SPDX-License-Identifier: BSD-3-Clause */
/* service.h - how a job asks for a hub that runs already, for several jobs */
/*
 * The hub listens. A job has a name there and a secret. Its rank 0 connects and names the job; both
 * show that they know the secret (proof.h). Then rank 0 brings what the hub needs: which aggregator
 * it is, where the ranks are with the job's key, and the schedules. The hub answers when it has
 * understood that. Nothing is encrypted.
 */
#ifndef PLINK_LIB_SERVICE_H
#define PLINK_LIB_SERVICE_H

#include "base/err.h"
#include "base/text/text.h"
#include "engine/schedule.h"
#include "lib/hubs.h"
#include "lib/proof.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PL_SERVICE_JOB_CHARS 64 /* with a zero at the end */

/* In network order. */
struct pl_service_hello {
	uint32_t magic;
	uint32_t bytes; /* that follow */
	char job[PL_SERVICE_JOB_CHARS];
	unsigned char nonce[PL_NONCE_BYTES];
	unsigned char proof[PL_PROOF_BYTES];
};

#define PL_SERVICE_BYTES_MAX ((size_t)256 << 20)

/* What a job asks for. */
struct pl_service {
	size_t aggregator;          /* which one of the schedules the hub is to be */
	const struct pl_card *card; /* [n] by number of the process */
	size_t n;
	void *body; /* in which the cards are, as read */
};

/* Who the job is, for the hub at an address. */
struct pl_service_name {
	const char *address, *job, *secret;
};

/* What is wrong with that name of a job, or NULL: it has 1 to 63 visible characters, none of which
 * is '#'. */
const char *pl_service_name_fault(const char *s, size_t len);

/* Rank 0: asks the hub. 0, or -1 with @err set: PL_EUSAGE for a name that no
 * job can have, PL_ESYSTEM for a hub that does not answer in time, or what
 * it says. */
int pl_service_ask(const struct pl_service_name *name, const struct pl_service *service,
		   const struct pl_schedules *schedules, double timeout_s, struct pl_err *err);

/* The hub: 0 if it is a hello, or -1 with @err set, PL_EINPUT. */
int pl_service_check(const struct pl_service_hello *h, struct pl_err *err);

/* Is its proof by that secret? */
bool pl_service_is_proved(const struct pl_service_hello *h, const char *secret);

/* Draws a nonce, which the job is to prove, too, and sends it without waiting; false: it cannot. */
bool pl_service_challenge(int fd, const struct pl_service_hello *h, const char *secret,
			  struct pl_nonces *nonces);

/* Is that the job's proof of both nonces? */
bool pl_service_is_answered(const struct pl_service_hello *h, const struct pl_nonces *nonces,
			    const char *secret, const unsigned char proof[PL_PROOF_BYTES]);

/* Reads what follows a hello, until the deadline: fills *service, whose body the caller frees, and
 * *text with the schedules. 0, or -1 with @err set and nothing to release. */
int pl_service_read(int fd, const struct pl_service_hello *h, int64_t deadline_ns,
		    struct pl_service *service, struct pl_text *text, struct pl_err *err);

/* Answers: @why NULL: the hub comes. */
void pl_service_answer(int fd, const struct pl_service_hello *h, const struct pl_nonces *nonces,
		       const char *secret, const char *why);

#endif
