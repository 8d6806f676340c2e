/* SPDX-License-Identifier: BSD-3-Clause */
/* judge-ring.c - which hosts do not hear each other, by UDP or TCP, and which one is at fault */
#include "config.h"

#include "src/doctor/judge.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>

static const struct {
	enum pl_doctor_subject subject;
	const char *name, *remedy;
} ways[PL_DOCTOR_BYS] = {
	[PL_DOCTOR_BY_UDP] = {PL_DOCTOR_UDP, "UDP", ""},
	[PL_DOCTOR_BY_TCP] = {PL_DOCTOR_TCP, "TCP", "; without it no rates are known"},
};

/* The host's pairs, two at most, that failed and were not reported yet. */
static size_t bad_pairs(const struct pl_doctor_ring *ring, enum pl_doctor_by by, const bool *told,
			size_t host, size_t at[2])
{
	size_t n = 0;

	for (size_t k = 0; k < ring->n && n < 2; k++)
		if (!ring->v[k].by[by].well && !told[k] &&
		    (ring->v[k].a == host || ring->v[k].b == host))
			at[n++] = k;
	return n;
}

static const char *other(const struct pl_doctor_seen *s, size_t pair, size_t host)
{
	const struct pl_doctor_pair *p = &s->ring->v[pair];

	return s->v[p->a == host ? p->b : p->a].name;
}

static int tell(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s,
		enum pl_doctor_by by, size_t host, const size_t *at, size_t n)
{
	const char *why = s->ring->v[at[0]].by[by].why;
	char remedy[256], ports[40] = "all ports";

	if (s->ports.max)
		snprintf(ports, sizeof(ports), "ports %d to %d", s->ports.min, s->ports.max);
	snprintf(remedy, sizeof(remedy),
		 "let %s (%s) through between the hosts: firewall, security group, or another "
		 "network by --iface%s",
		 ways[by].name, ports, ways[by].remedy);
	return pl_doctor_find(verdict, host, ways[by].subject, remedy,
			      "%s does not pass between it and %s%s%s%s%s", ways[by].name,
			      other(s, at[0], host), n > 1 ? " and " : "",
			      n > 1 ? other(s, at[1], host) : "", why[0] ? ": " : "", why);
}

/* Of the failed pairs, first those of hosts with two of them. */
static int tell_pairs(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s,
		      enum pl_doctor_by by, bool *told, size_t least)
{
	size_t at[2];

	for (size_t k = 0; k < s->ring->n; k++) {
		const size_t ends[] = {s->ring->v[k].a, s->ring->v[k].b};

		for (size_t e = 0; e < 2; e++) {
			const size_t n = bad_pairs(s->ring, by, told, ends[e], at);

			if (n < least)
				continue;
			if (tell(verdict, s, by, ends[e], at, n))
				return -1;
			for (size_t i = 0; i < n; i++)
				told[at[i]] = true;
		}
	}
	return 0;
}

static int judge_way(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s,
		     enum pl_doctor_by by)
{
	const enum pl_doctor_subject subject = ways[by].subject;
	bool *told = pl_array_create(s->ring->n, sizeof(*told));
	int bad;

	if (!told)
		return -1;
	verdict->judged[subject] = s->ring->n;
	for (size_t k = 0; k < s->ring->n; k++)
		verdict->well[subject] += s->ring->v[k].by[by].well;
	bad = tell_pairs(verdict, s, by, told, 2) || tell_pairs(verdict, s, by, told, 1);
	free(told);
	return bad ? -1 : 0;
}

int pl_doctor_judge_ring(struct pl_doctor_verdict *verdict, const struct pl_doctor_seen *s)
{
	for (int by = 0; by < PL_DOCTOR_BYS; by++)
		if (judge_way(verdict, s, (enum pl_doctor_by)by))
			return -1;
	if (!s->ring->fault[0])
		return 0;
	return pl_doctor_find(verdict, PL_DOCTOR_ALL, PL_DOCTOR_UDP,
			      "repair that, then check again", "it could not be tried: %s",
			      s->ring->fault);
}
