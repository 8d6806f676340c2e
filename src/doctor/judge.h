/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.h - what is wrong with the hosts of a run, and what to do about it */
#ifndef PLINK_SRC_DOCTOR_JUDGE_H
#define PLINK_SRC_DOCTOR_JUDGE_H

#include "base/err.h"
#include "src/doctor/facts.h"
#include "src/doctor/ring.h"

#include <stddef.h>
#include <stdint.h>

enum pl_doctor_subject {
	PL_DOCTOR_REACH,
	PL_DOCTOR_AGENT,
	PL_DOCTOR_PLINK,
	PL_DOCTOR_MPI,
	PL_DOCTOR_SHIM,
	PL_DOCTOR_NCCL,
	PL_DOCTOR_TIME,
	PL_DOCTOR_UDP,
	PL_DOCTOR_SUBJECTS,
};

/* Beside the indices of hosts. */
#define PL_DOCTOR_HERE SIZE_MAX      /* this machine */
#define PL_DOCTOR_ALL (SIZE_MAX - 1) /* the hosts together */

/* One at most for a host and a subject. */
struct pl_doctor_finding {
	size_t host;
	enum pl_doctor_subject subject;
	char what[PL_DOCTOR_FAULT + 256];
	char remedy[256];
};

/* All that is looked at; borrowed. */
struct pl_doctor_seen {
	const struct pl_doctor_facts *v; /* [n] */
	size_t n;
	const struct pl_doctor_facts *here;
	const struct pl_doctor_ring *ring;
	const char *version;    /* of plink here */
	const char *launch;     /* template by which hosts were asked */
	bool pushed;            /* the agent is sent there */
	int port_min, port_max; /* that were asked for; 0, 0: any */
	int64_t stepped_ns;     /* this machine's clock was set by so much */
};

struct pl_doctor_verdict {
	struct pl_doctor_finding *v; /* [n], by host, then by subject */
	size_t n, room;
	size_t well[PL_DOCTOR_SUBJECTS];   /* hosts, of udp pairs */
	size_t judged[PL_DOCTOR_SUBJECTS]; /* of so many */
	/* what most hosts have; "" where none has anything */
	char common[PL_DOCTOR_SUBJECTS][PL_DOCTOR_TEXT];
	int64_t skew_ns; /* most that a clock may be off that is not found at
			  * fault */
};

/* "reach", "agent", ... */
const char *pl_doctor_subject_name(enum pl_doctor_subject subject);

/* Judges. @verdict must be {0}; end with fini. 0, or -1: out of memory. */
int pl_doctor_judge(struct pl_doctor_verdict *verdict,
		    const struct pl_doctor_seen *seen, struct pl_err *err);
void pl_doctor_verdict_fini(struct pl_doctor_verdict *verdict);

/* Adds a finding; text as printf has it. 0, or -1: out of memory. */
int pl_doctor_find(struct pl_doctor_verdict *verdict, size_t host,
		   enum pl_doctor_subject subject, const char *remedy,
		   const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* Parts of it, in files of their own: clocks, and who hears whom. */
int pl_doctor_judge_clocks(struct pl_doctor_verdict *verdict,
			   const struct pl_doctor_seen *seen);
int pl_doctor_judge_ring(struct pl_doctor_verdict *verdict,
			 const struct pl_doctor_seen *seen);

#endif
