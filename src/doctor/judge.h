/* SPDX-License-Identifier: BSD-3-Clause */
/* judge.h - finds what is wrong with the hosts of a run, and the remedy */
#ifndef PLINK_SRC_DOCTOR_JUDGE_H
#define PLINK_SRC_DOCTOR_JUDGE_H

#include "base/err.h"
#include "probes/protocol/address.h"
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
	PL_DOCTOR_TCP,
	PL_DOCTOR_SUBJECTS,
};

/* Values of pl_doctor_finding.host that are not indices. */
#define PL_DOCTOR_HERE SIZE_MAX      /* this machine */
#define PL_DOCTOR_ALL (SIZE_MAX - 1) /* the hosts together */

/* At most one for a host and a subject. */
struct pl_doctor_finding {
	size_t host;
	enum pl_doctor_subject subject;
	char what[PL_DOCTOR_FAULT + 256];
	char remedy[512];
};

/* The facts to be judged; borrowed. */
struct pl_doctor_seen {
	const struct pl_doctor_facts *v; /* [n] */
	size_t n;
	const struct pl_doctor_facts *here;
	const struct pl_doctor_ring *ring;
	const char *version;   /* of plink on this machine */
	const char *launch;    /* template by which the hosts were asked */
	bool pushed;           /* the agent is sent to the hosts */
	struct pl_ports ports; /* as requested */
	/* by how much this machine's clock was set meanwhile */
	int64_t stepped_ns;
};

struct pl_doctor_verdict {
	struct pl_doctor_finding *v; /* [n], by host, then by subject */
	size_t n, room;
	/* [subject] hosts without a fault; udp, tcp: pairs */
	size_t well[PL_DOCTOR_SUBJECTS];
	size_t judged[PL_DOCTOR_SUBJECTS]; /* ... of this many judged */
	/* [subject] what most hosts have; "": no host has any */
	char common[PL_DOCTOR_SUBJECTS][PL_DOCTOR_TEXT];
	/* the most that a clock which is not reported may be off */
	int64_t skew_ns;
};

/* Is it judged by pairs of neighbours, not by hosts? */
bool pl_doctor_is_of_pairs(enum pl_doctor_subject subject);

/* "reach", "agent", ... */
const char *pl_doctor_subject_name(enum pl_doctor_subject subject);

/* Judges. @verdict must be {0}; end with fini. 0, or -1: out of memory. */
int pl_doctor_judge(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *seen,
		    struct pl_err *err);
void pl_doctor_verdict_fini(struct pl_doctor_verdict *verdict);

/* Adds a finding; @fmt as in printf. 0, or -1: out of memory. */
int pl_doctor_find(struct pl_doctor_verdict *verdict, size_t host, enum pl_doctor_subject subject,
		   const char *remedy, const char *fmt, ...) __attribute__((format(printf, 5, 6)));

/* The parts of pl_doctor_judge in files of their own: clocks, and what passes between neighbours.
 * 0, or -1: out of memory. */
int pl_doctor_judge_clocks(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *seen);
int pl_doctor_judge_ring(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *seen);

#endif
