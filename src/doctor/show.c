/* SPDX-License-Identifier: BSD-3-Clause */
/* show.c - what was found out about hosts, for people */
#include "config.h"

#include "src/doctor/show.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define CELL 64

const char *pl_doctor_host_name(const struct pl_doctor_seen *seen, size_t host)
{
	if (host == PL_DOCTOR_HERE)
		return "this machine";
	if (host == PL_DOCTOR_ALL)
		return "all hosts";
	return seen->v[host].name;
}

/* A subject: its findings, and how many hosts are well. */
static void say(char cell[PL_DOCTOR_TEXT], const struct pl_doctor_seen *s,
		const struct pl_doctor_verdict *verdict, enum pl_doctor_subject subject)
{
	const char *text = verdict->common[subject];

	if (subject == PL_DOCTOR_UDP)
		text = "neighbours in the list hear one another";
	else if (subject == PL_DOCTOR_TCP)
		text = "neighbours in the list send one another bytes";
	else if (subject == PL_DOCTOR_SHIM)
		text = "the library to be preloaded can be";
	if (subject == PL_DOCTOR_REACH)
		snprintf(cell, PL_DOCTOR_TEXT, "by %s", s->launch);
	else if (verdict->well[PL_DOCTOR_REACH] == 0)
		snprintf(cell, PL_DOCTOR_TEXT, "not asked");
	else if (subject == PL_DOCTOR_AGENT)
		snprintf(cell, PL_DOCTOR_TEXT, "plink-agent %s%s", s->version,
			 s->pushed ? ", sent there" : "");
	else if (subject == PL_DOCTOR_TIME)
		snprintf(cell, PL_DOCTOR_TEXT, "within %.3f s of this machine",
			 (double)verdict->skew_ns * 1e-9);
	else if (verdict->judged[subject] == 0)
		snprintf(cell, PL_DOCTOR_TEXT, "%s",
			 pl_doctor_is_of_pairs(subject) ? "no two hosts to try it with"
							: "on no host");
	else
		snprintf(cell, PL_DOCTOR_TEXT, "%s", text);
}

static void show_table(FILE *to, const struct pl_doctor_seen *s,
		       const struct pl_doctor_verdict *verdict)
{
	for (int k = 0; k < PL_DOCTOR_SUBJECTS; k++) {
		const enum pl_doctor_subject subject = (enum pl_doctor_subject)k;
		char cell[PL_DOCTOR_TEXT], count[CELL] = "-";

		say(cell, s, verdict, subject);
		if (verdict->judged[k])
			snprintf(count, sizeof(count), "%zu of %zu", verdict->well[k],
				 verdict->judged[k]);
		fprintf(to, "%-6s %-12s %s\n", pl_doctor_subject_name(subject), count, cell);
	}
}

/* Hosts with a finding. */
static size_t n_ill(const struct pl_doctor_verdict *verdict)
{
	size_t n = 0;

	for (size_t i = 0; i < verdict->n; i++)
		n += verdict->v[i].host < PL_DOCTOR_ALL &&
		     (i == 0 || verdict->v[i].host != verdict->v[i - 1].host);
	return n;
}

void pl_doctor_show(FILE *to, const struct pl_doctor_seen *seen,
		    const struct pl_doctor_verdict *verdict)
{
	const size_t ill = n_ill(verdict);

	show_table(to, seen, verdict);
	for (size_t i = 0; i < verdict->n; i++) {
		const struct pl_doctor_finding *f = &verdict->v[i];

		fprintf(to, "%s: %s: %s: %s\n", pl_doctor_host_name(seen, f->host),
			pl_doctor_subject_name(f->subject), f->what, f->remedy);
	}
	if (verdict->n == 0)
		fprintf(to, "all is well on %zu host%s\n", seen->n, seen->n == 1 ? "" : "s");
	else if (ill == 0)
		fputs("each host alone is well\n", to);
	else
		fprintf(to, "%zu of %zu host%s %s not ready\n", ill, seen->n,
			seen->n == 1 ? "" : "s", ill == 1 ? "is" : "are");
}
