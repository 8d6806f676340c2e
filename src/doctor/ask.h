/* SPDX-License-Identifier: BSD-3-Clause */
/* ask.h - asks all hosts in parallel */
#ifndef PLINK_SRC_DOCTOR_ASK_H
#define PLINK_SRC_DOCTOR_ASK_H

#include "base/err.h"
#include "src/doctor/facts.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>

struct pl_doctor_ask {
	const char *launch;                /* template, %h is the host */
	const char *script;                /* pl_doctor_script_facts() */
	size_t fanout;                     /* hosts asked at the same time */
	int64_t limit_ns;                  /* of a host, from its start to its last answer */
	const volatile sig_atomic_t *stop; /* NULL: never */
	/* @done of @n hosts were asked, @waiting_for (NULL: none) was not; NULL: not reported */
	void (*progress)(void *arg, size_t done, size_t n, const char *waiting_for);
	/* a line that a host's launcher wrote to stderr; NULL: dropped */
	void (*log)(void *arg, const char *host, const char *line);
	void *log_arg;
	void *arg; /* of progress */
};

/*
 * Asks the hosts v[n], whose names are filled in, through the launcher, and this machine, *here,
 * through a shell. Stores each one's answers in its facts, or, if it did not answer, the reason in
 * its fault. 0, or -1 with @err set: out of memory, or PL_EPARTIAL when stopped. All processes that
 * were started have ended and are reaped. SIGPIPE must be ignored.
 */
int pl_doctor_ask_all(const struct pl_doctor_ask *ask, struct pl_doctor_facts *v, size_t n,
		      struct pl_doctor_facts *here, struct pl_err *err);

/* By how much the time of day is ahead of pl_clock_ns(), which nobody sets, in ns. */
int64_t pl_doctor_clocks_apart(void);

#endif
