/* SPDX-License-Identifier: BSD-3-Clause */
/* report.c - an audit in words */
#include "config.h"

#include "src/audit/run.h"

#include "costmodels/catalogue.h"

#include <inttypes.h>

#define PAIRS_SHOWN 20 /* without --verbose */

static const char *node_name(const struct audit *a, size_t node)
{
	return a->job.node.v[node].name;
}

static void report_pattern(const struct audit *a, FILE *out)
{
	const struct audit_options *o = a->o;

	fprintf(out, "pattern    %s %s of %s, %zu ranks, %" PRIu64 " bytes",
		pl_collective_name(o->collective), a->name, a->impl, a->call.n_pos, a->call.bytes);
	if (a->call.segment_bytes)
		fprintf(out, ", segments of %" PRIu64, a->call.segment_bytes);
	if (o->repeat > 1)
		fprintf(out, ", %" PRIu64 " times", o->repeat);
	fputc('\n', out);
}

static void report_sources(const struct audit *a, FILE *out)
{
	const struct pl_merge_sums *s = &a->sums;

	if (a->monitored) {
		fprintf(out, "seen       %zu files of Open MPI's monitoring\n", a->n_sources);
		return;
	}
	fprintf(out, "seen       %zu capture%s, %" PRIu64 " packets, %" PRIu64 " streams\n",
		a->n_sources, a->n_sources == 1 ? "" : "s", s->packets, s->connections);
	if (s->other_ports_bytes || s->stranger_bytes)
		fprintf(out,
			"left out   %" PRIu64 " bytes on other ports, %" PRIu64 " of other hosts\n",
			s->other_ports_bytes, s->stranger_bytes);
	if (s->again_bytes || s->lost_bytes)
		fprintf(out,
			"counted    once: %" PRIu64 " bytes sent again; by their numbers: %" PRIu64
			" bytes not captured\n",
			s->again_bytes, s->lost_bytes);
	if (s->unbegun || s->cut_packets || s->fragments)
		fprintf(out,
			"beware     %" PRIu64 " streams began before the capture, %" PRIu64
			" packets cut short, %" PRIu64 " fragments\n",
			s->unbegun, s->cut_packets, s->fragments);
	fprintf(out, "headers    %s: %s\n", a->o->wire->name, a->o->wire->summary);
}

static void report_bytes(const struct audit *a, FILE *out)
{
	const struct pl_audit_verdict *v = &a->verdict;

	fprintf(out, "expected   %" PRIu64 " bytes in %" PRIu64 " messages", v->payload_bytes,
		v->messages);
	if (!a->monitored)
		fprintf(out, ", %" PRIu64 " of headers, %" PRIu64 " to connect: %" PRIu64,
			v->header_bytes, v->begin_bytes, v->expected_bytes);
	fprintf(out, "\nsent       %" PRIu64 " bytes", v->seen_bytes);
	if (a->monitored)
		fprintf(out, " in %" PRIu64 " messages", v->seen_messages);
	fprintf(out, "\ntolerance  %" PRIu64 " bytes a message", a->o->tolerance.bytes);
	if (a->o->tolerance.share > 0)
		fprintf(out, ", or %g %%", a->o->tolerance.share * 100);
	fputc('\n', out);
}

static void report_racks(const struct audit *a, FILE *out)
{
	const struct audit_racks *r = &a->racks;

	if (r->n == 0)
		return;
	fprintf(out, "racks      %zu; between them %" PRIu64 " bytes of payload", r->n,
		r->payload_bytes);
	if (!a->monitored)
		fprintf(out, ", with headers %" PRIu64, r->expected_bytes);
	fprintf(out, "; sent %" PRIu64 "\n", r->seen_bytes);
}

static void report_pairs(const struct audit *a, FILE *out)
{
	const char *between = "pairs      ";

	for (size_t s = 0; s < PL_PAIR_STATES; s++) {
		fprintf(out, "%s%zu %s", between, a->verdict.n[s],
			pl_pair_state_name((enum pl_pair_state)s));
		between = ", ";
	}
	fprintf(out, "; %zu expected\n", a->verdict.n_expected);
}

static void report_pair(const struct audit *a, const struct pl_audit_pair *p, FILE *out)
{
	const enum pl_pair_state state = pl_pair_judge(p, &a->o->tolerance, a->monitored);

	fprintf(out, "  %-7s  %s %s  expected %" PRIu64 ", sent %" PRIu64,
		pl_pair_state_name(state), node_name(a, p->src), node_name(a, p->dst),
		pl_pair_expected(p), p->seen_bytes);
	if (a->monitored)
		fprintf(out, "; messages %" PRIu64 ", %" PRIu64, p->messages, p->seen_messages);
	fputc('\n', out);
}

/* The pairs that do not match, or all. */
static void report_list(const struct audit *a, FILE *out)
{
	size_t shown = 0, more = 0;

	for (size_t i = 0; i < a->pairs.n; i++) {
		const struct pl_audit_pair *p = &a->pairs.v[i];

		if (!a->o->verbose &&
		    pl_pair_judge(p, &a->o->tolerance, a->monitored) == PL_PAIR_MATCH)
			continue;
		if (!a->o->verbose && shown == PAIRS_SHOWN) {
			more++;
			continue;
		}
		report_pair(a, p, out);
		shown++;
	}
	if (more)
		fprintf(out, "  and %zu more (--verbose, --json)\n", more);
	if (a->verdict.worst < a->pairs.n) {
		const struct pl_audit_pair *p = &a->pairs.v[a->verdict.worst];

		fprintf(out, "worst      %s to %s\n", node_name(a, p->src), node_name(a, p->dst));
	}
}

static void report_early(const struct audit *a, FILE *out)
{
	const struct pl_audit_early *e = &a->rounds.first;
	const struct pl_message *m = &a->pattern.message[e->message];
	const struct pl_message *w = &a->pattern.message[e->awaited];

	fprintf(out,
		"first      repetition %" PRIu64
		": %u to %u of round %u was sent %g us before %u to %u of round %u had arrived\n",
		e->repetition, m->src, m->dst, m->round, (double)(e->awaited_ns - e->sent_ns) / 1e3,
		w->src, w->dst, w->round);
}

static void report_rounds(const struct audit *a, FILE *out)
{
	static const char *const why[] = {
		[AUDIT_ROUNDS_NO_TIMES] = "monitoring has no times",
		[AUDIT_ROUNDS_SLOTS] = "ranks share hosts",
		[AUDIT_ROUNDS_LOST] = "the time of bytes that were not captured is not known",
		[AUDIT_ROUNDS_BYTES] = "the bytes differ, so messages cannot be placed among them",
		[AUDIT_ROUNDS_CHUNKS] = "each chunk goes its way by itself",
	};

	if (a->rounds_state != AUDIT_ROUNDS_CHECKED) {
		fprintf(out, "order      not checked: %s\n", why[a->rounds_state]);
		return;
	}
	fprintf(out,
		"order      %" PRIu64 " messages that wait for others: %" PRIu64 " sent too early",
		a->rounds.checked + a->rounds.unchecked, a->rounds.n_early);
	if (a->rounds.unchecked)
		fprintf(out, ", %" PRIu64 " not checked", a->rounds.unchecked);
	fputc('\n', out);
	if (a->rounds.n_early)
		report_early(a, out);
}

void audit_report(const struct audit *a, FILE *out)
{
	report_pattern(a, out);
	report_sources(a, out);
	report_bytes(a, out);
	report_racks(a, out);
	report_pairs(a, out);
	report_list(a, out);
	report_rounds(a, out);
	fprintf(out, "result     %s\n", audit_result(a));
}
