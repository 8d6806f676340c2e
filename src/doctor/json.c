/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - what was found out about hosts, for programs */
#include "config.h"

#include "src/doctor/show.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* A text, or null where there is none; what is no UTF-8 is null, too. */
static json_t *text(const char *s)
{
	json_t *value = s[0] ? json_string(s) : NULL;

	return value ? value : json_null();
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
	json_t *obj = json_object();
	int bad = 0;

	if (f->name)
		bad |= json_object_set_new(obj, "host", text(f->name));
	bad |= json_object_set_new(obj, "reached", json_boolean(f->whole));
	bad |= json_object_set_new(obj, "ready", json_boolean(ready));
	bad |= json_object_set_new(obj, "node", text(f->node));
	bad |= json_object_set_new(obj, "machine", text(f->machine));
	bad |= json_object_set_new(obj, "agent", text(f->agent));
	bad |= json_object_set_new(obj, "plink", text(f->plink));
	bad |= json_object_set_new(obj, "mpi", text(f->mpi));
	bad |= json_object_set_new(obj, "shim", text(f->shim));
	bad |= json_object_set_new(obj, "shim_for", text(f->shim_for));
	bad |= json_object_set_new(obj, "shim_mpi", text(f->shim_mpi));
	bad |= json_object_set_new(obj, "nccl", text(f->nccl));
	bad |= json_object_set_new(obj, "skew_s", skew(f));
	bad |= json_object_set_new(obj, "skew_within_s", doubt(f));
	if (bad) {
		json_decref(obj);
		return NULL;
	}
	return obj;
}

static bool is_ready(const struct pl_doctor_verdict *verdict, size_t i)
{
	for (size_t k = 0; k < verdict->n; k++)
		if (verdict->v[k].host == i)
			return false;
	return true;
}

static json_t *hosts(const struct pl_doctor_seen *s,
		     const struct pl_doctor_verdict *verdict)
{
	json_t *list = json_array();

	for (size_t i = 0; list && i < s->n; i++)
		if (json_array_append_new(
			    list, host(&s->v[i], is_ready(verdict, i)))) {
			json_decref(list);
			return NULL;
		}
	return list;
}

static json_t *pairs(const struct pl_doctor_seen *s)
{
	json_t *list = json_array();

	for (size_t k = 0; list && k < s->ring->n; k++) {
		const struct pl_doctor_pair *p = &s->ring->v[k];

		if (json_array_append_new(
			    list,
			    json_pack("{s:s, s:s, s:b, s:o}", "host",
				      s->v[p->a].name, "next", s->v[p->b].name,
				      "udp", p->well, "why", text(p->why)))) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

static json_t *findings(const struct pl_doctor_seen *s,
			const struct pl_doctor_verdict *verdict)
{
	json_t *list = json_array();

	for (size_t i = 0; list && i < verdict->n; i++) {
		const struct pl_doctor_finding *f = &verdict->v[i];

		if (json_array_append_new(
			    list, json_pack("{s:s, s:s, s:o, s:o}", "host",
					    pl_doctor_host_name(s, f->host),
					    "subject",
					    pl_doctor_subject_name(f->subject),
					    "what", text(f->what), "remedy",
					    text(f->remedy)))) {
			json_decref(list);
			return NULL;
		}
	}
	return list;
}

int pl_doctor_show_json(FILE *to, const struct pl_doctor_seen *s,
			const struct pl_doctor_verdict *verdict,
			struct pl_err *err)
{
	const size_t flags =
		JSON_INDENT(2) | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(15);
	json_t *obj = json_object();
	int bad = 0, rc = 0;

	bad |= json_object_set_new(obj, "version", text(s->version));
	bad |= json_object_set_new(obj, "n", json_integer((json_int_t)s->n));
	bad |= json_object_set_new(obj, "well", json_boolean(verdict->n == 0));
	bad |= json_object_set_new(obj, "hosts", hosts(s, verdict));
	bad |= json_object_set_new(obj, "here", host(s->here, true));
	bad |= json_object_set_new(obj, "pairs", pairs(s));
	bad |= json_object_set_new(obj, "findings", findings(s, verdict));
	if (bad)
		rc = pl_err_nomem(err);
	else if (json_dumpf(obj, to, flags))
		rc = pl_err_set(err, PL_ESYSTEM, "cannot write JSON");
	else
		fputc('\n', to);
	json_decref(obj);
	return rc;
}
