/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - what was found out about hosts, for programs */
#include "config.h"

#include "src/doctor/show.h"

#include "src/common/json.h"
#include "src/doctor/options.h"

#include <math.h>
#include <string.h>

/* A text; null if there is none. */
static json_t *text(const char *s)
{
	return pl_tool_json_text(s[0] ? s : NULL);
}

/* To the microsecond. */
static json_t *seconds(double ns)
{
	return json_real(round(ns / 1e3) / 1e6);
}

static json_t *skew(const struct pl_doctor_facts *f)
{
	const struct pl_doctor_span span = pl_doctor_skew(f);

	if (f->n_skews == 0)
		return json_null();
	return seconds(((double)span.lo_ns + (double)span.hi_ns) / 2);
}

static json_t *doubt(const struct pl_doctor_facts *f)
{
	const struct pl_doctor_span span = pl_doctor_skew(f);

	if (f->n_skews == 0)
		return json_null();
	return seconds(((double)span.hi_ns - (double)span.lo_ns) / 2);
}

static json_t *host(const struct pl_doctor_facts *f, bool ready)
{
	return json_pack("{s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}",
			 "host", text(f->name), "reached", f->whole, "ready", ready, "node",
			 text(f->node), "machine", text(f->machine), "agent", text(f->agent),
			 "plink", text(f->plink), "mpi", text(f->mpi), "shim", text(f->shim),
			 "shim_for", text(f->shim_for), "shim_mpi", text(f->shim_mpi), "nccl",
			 text(f->nccl), "skew_s", skew(f), "skew_within_s", doubt(f));
}

static bool is_ready(const struct pl_doctor_verdict *verdict, size_t i)
{
	for (size_t k = 0; k < verdict->n; k++)
		if (verdict->v[k].host == i)
			return false;
	return true;
}

static json_t *hosts(const struct pl_doctor_seen *s, const struct pl_doctor_verdict *verdict)
{
	json_t *list = json_array();

	for (size_t i = 0; i < s->n; i++)
		pl_list_add(&list, host(&s->v[i], is_ready(verdict, i)));
	return list;
}

static json_t *pairs(const struct pl_doctor_seen *s)
{
	json_t *list = json_array();

	for (size_t k = 0; k < s->ring->n; k++) {
		const struct pl_doctor_pair *p = &s->ring->v[k];
		const struct pl_doctor_passing *udp = &p->by[PL_DOCTOR_BY_UDP];
		const struct pl_doctor_passing *tcp = &p->by[PL_DOCTOR_BY_TCP];

		pl_list_add(&list, json_pack("{s:o, s:o, s:b, s:o, s:b, s:o}", "host",
					     text(s->v[p->a].name), "next", text(s->v[p->b].name),
					     "udp", udp->well, "why", text(udp->why), "tcp",
					     tcp->well, "tcp_why", text(tcp->why)));
	}
	return list;
}

static json_t *findings(const struct pl_doctor_seen *s, const struct pl_doctor_verdict *verdict)
{
	json_t *list = json_array();

	for (size_t i = 0; i < verdict->n; i++) {
		const struct pl_doctor_finding *f = &verdict->v[i];

		pl_list_add(&list, json_pack("{s:o, s:s, s:o, s:o}", "host",
					     text(pl_doctor_host_name(s, f->host)), "subject",
					     pl_doctor_subject_name(f->subject), "what",
					     text(f->what), "remedy", text(f->remedy)));
	}
	return list;
}

int pl_doctor_show_json(FILE *to, const struct pl_doctor_seen *s,
			const struct pl_doctor_verdict *verdict, struct pl_err *err)
{
	json_t *obj =
		json_pack("{s:i, s:b, s:o, s:o, s:o, s:o}", "n", (int)s->n, "well", verdict->n == 0,
			  "hosts", hosts(s, verdict), "here", host(s->here, true), "pairs",
			  pairs(s), "findings", findings(s, verdict));

	return pl_tool_json_write(PL_DOCTOR_TOOL, obj, to, err);
}
