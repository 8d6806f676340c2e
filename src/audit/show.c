/* SPDX-License-Identifier: BSD-3-Clause */
/* show.c - the catalogue, and the messages of a pattern */
#include "config.h"

#include "src/audit/show.h"

#include "costmodels/catalogue.h"
#include "src/audit/run.h"
#include "src/common/json.h"

#include <inttypes.h>

static json_t *list_json(void)
{
	const struct pl_algorithm *alg;
	json_t *list = json_array();

	for (size_t i = 0; (alg = pl_catalogue_entry(i)); i++) {
		json_t *one = json_pack("{s:s, s:s, s:s, s:b, s:i, s:s}", "collective",
					pl_collective_name(alg->collective), "impl",
					pl_impl_name(alg->impl), "algorithm", alg->name,
					"takes_number", alg->takes_radix, "setting", alg->setting,
					"summary", alg->summary);

		pl_list_add(&list, one);
	}
	return list;
}

int audit_show_list(const struct audit_options *o, FILE *out, struct pl_err *err)
{
	const struct pl_algorithm *alg;

	if (o->json)
		return pl_tool_json_write(AUDIT_TOOL, json_pack("{s:o}", "algorithms", list_json()),
					  out, err);
	for (size_t i = 0; (alg = pl_catalogue_entry(i)); i++)
		fprintf(out, "%s %s %s%s  %s\n", pl_collective_name(alg->collective),
			pl_impl_name(alg->impl), alg->name, alg->takes_radix ? ":N" : "",
			alg->summary);
	return 0;
}

/* Indices of the messages that the message's source has waited for since it sent the one before:
 * earlier ones are waited for by that one already. */
struct waits {
	const struct pl_pattern *p;
	uint32_t since, before; /* steps */
	size_t pos;
};

static bool is_waited_for(const struct waits *w, size_t received)
{
	const struct pl_message *m = &w->p->message[w->p->received[received]];

	return m->received_step >= w->since && m->received_step < w->before;
}

static struct waits waits_of(const struct pl_pattern *p, size_t message)
{
	const struct pl_message *m = &p->message[message];
	const uint32_t first = pl_pattern_strand_step(p, m->src, m->send_step);
	struct waits w = {p, first, m->send_step, m->src};

	/* those that are posted in the same step wait for the same */
	for (size_t i = message; i-- > p->from[m->src];)
		if (p->message[i].send_step < m->send_step) {
			if (p->message[i].send_step > first)
				w.since = p->message[i].send_step;
			break;
		}
	return w;
}

static void print_message(const struct pl_pattern *p, size_t i, FILE *out)
{
	const struct pl_message *m = &p->message[i];
	const struct waits w = waits_of(p, i);
	const char *between = " ";

	fprintf(out, "%u %u %u %" PRIu64, m->round, m->src, m->dst, m->bytes);
	for (size_t k = p->into[w.pos]; k < p->into[w.pos + 1]; k++)
		if (is_waited_for(&w, k)) {
			fprintf(out, "%s%u", between, p->received[k]);
			between = ",";
		}
	fputc('\n', out);
}

static json_t *message_json(const struct pl_pattern *p, size_t i)
{
	const struct pl_message *m = &p->message[i];
	const struct waits w = waits_of(p, i);
	json_t *after = json_array();

	for (size_t k = p->into[w.pos]; k < p->into[w.pos + 1]; k++)
		if (is_waited_for(&w, k))
			pl_list_add(&after, json_integer(p->received[k]));
	return json_pack("{s:I, s:I, s:I, s:I, s:b, s:o}", "round", (json_int_t)m->round, "src",
			 (json_int_t)m->src, "dst", (json_int_t)m->dst, "bytes",
			 (json_int_t)m->bytes, "synchronous", m->synchronous, "after", after);
}

static json_t *pattern_json(const struct audit *a)
{
	json_t *list = json_array();

	for (size_t i = 0; i < a->pattern.n_messages; i++)
		pl_list_add(&list, message_json(&a->pattern, i));
	return json_pack("{s:s, s:s, s:s, s:I, s:I, s:o}", "collective",
			 pl_collective_name(a->o->collective), "impl", a->impl, "algorithm",
			 a->name, "ranks", (json_int_t)a->pattern.n_pos, "rounds",
			 (json_int_t)a->pattern.n_rounds, "messages", list);
}

/* A line each. 0, or -1 with @err set: interrupted. */
static int print_pattern(const struct pl_pattern *p, const volatile sig_atomic_t *stop, FILE *out,
			 struct pl_err *err)
{
	for (size_t i = 0; i < p->n_messages; i++) {
		if (*stop)
			return pl_err_set(err, PL_EPARTIAL, "interrupted");
		print_message(p, i, out);
	}
	return 0;
}

int audit_show_pattern(const struct audit_options *o, FILE *out, const volatile sig_atomic_t *stop,
		       struct pl_err *err)
{
	struct audit a = {.o = o};
	int rc = o->hosts ? pl_placement_read(&a.job, o->hosts, err)
			  : pl_placement_of_ranks(&a.job, o->call.n_pos, err);

	if (!rc)
		rc = audit_make_pattern(&a, err);
	if (!rc && o->json) {
		rc = pl_tool_json_write(AUDIT_TOOL, pattern_json(&a), out, err);
	} else if (!rc) {
		fprintf(out,
			"# %s %s of %s, %zu ranks, %" PRIu64 " bytes: round src dst bytes after\n",
			pl_collective_name(o->collective), a.name, a.impl, a.call.n_pos,
			a.call.bytes);
		rc = print_pattern(&a.pattern, stop, out, err);
	}
	audit_fini(&a);
	return rc;
}
