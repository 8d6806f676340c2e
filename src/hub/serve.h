/* SPDX-License-Identifier: BSD-3-Clause */
/* serve.h - a hub: from the job's rendezvous to its last call */
#ifndef PLINK_SRC_HUB_SERVE_H
#define PLINK_SRC_HUB_SERVE_H

#include "base/err.h"
#include "lib/service.h"

#include <signal.h>
#include <stdint.h>

#define HUB_TOOL "plink-hub"

/* Strings are borrowed. */
struct hub_options {
	const char *schedule, *meet, *secret; /* file, HOST:PORT, file */
	const char *name;                     /* of the aggregator; NULL: this machine's */
	double timeout_s;                     /* until the job is there */
	size_t threads;                       /* of a job, at most */
	/* of several jobs: HOST:PORT, file; then none of the files above */
	const char *listen, *jobs;
};

/* What a hub has done. */
struct hub_done {
	uint64_t calls, bytes; /* of the calls' buffers */
};

/* Runs the hub's part of a job until all ranks have ended. 0, or -1 with @err set; *done counts in
 * both cases. */
int hub_serve(const struct hub_options *o, struct hub_done *done, struct pl_err *err);

/* The same for a job whose rank 0 has come on the connection, said @h and knows the secret; tells
 * it that the hub comes, or why it does not. Closes the connection. At the signal HUB_REPLACED,
 * which is for a process with no other threads and nothing else to do, tells the ranks that the job
 * has come anew, and ends the process. */
int hub_serve_job(const struct hub_options *o, int fd, const struct pl_service_hello *h,
		  const struct pl_nonces *nonces, const char *secret, struct hub_done *done,
		  struct pl_err *err);
#define HUB_REPLACED SIGUSR1

/* Says what has been done; @job: how the message begins. */
void hub_say_done(const char *job, const struct hub_done *done);

#endif
