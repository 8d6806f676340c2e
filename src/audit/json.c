/* SPDX-License-Identifier: BSD-3-Clause */
/* json.c - an audit as JSON (plink-audit(1)) */
#include "config.h"

#include "src/audit/run.h"

#include "costmodels/catalogue.h"
#include "src/common/json.h"

/* Whole numbers of JSON end at 2^63 - 1 here. */
static json_int_t whole(uint64_t v)
{
	return v > INT64_MAX ? INT64_MAX : (json_int_t)v;
}

static json_t *call_object(const struct audit *a)
{
	const struct pl_call *c = &a->call;

	return json_pack("{s:s, s:s, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I}", "collective",
			 pl_collective_name(a->o->collective), "impl", a->impl, "algorithm",
			 a->name, "ranks", whole(c->n_pos), "bytes", whole(c->bytes),
			 "element_bytes", whole(c->element_bytes), "segment_bytes",
			 whole(c->segment_bytes), "root", whole(c->root), "slots", whole(c->slots),
			 "repeat", whole(a->o->repeat));
}

static json_t *sources_object(const struct audit *a)
{
	const struct pl_merge_sums *s = &a->sums;

	if (a->monitored)
		return json_pack("{s:s, s:I}", "kind", "monitoring", "files", whole(a->n_sources));
	return json_pack("{s:s, s:I, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I, s:I}",
			 "kind", "captures", "files", whole(a->n_sources), "wire", a->o->wire->name,
			 "eager_bytes", whole(a->o->eager_bytes), "packets", whole(s->packets),
			 "streams", whole(s->connections), "streams_begun_before",
			 whole(s->unbegun), "packets_cut", whole(s->cut_packets), "fragments",
			 whole(s->fragments), "bytes_on_other_ports", whole(s->other_ports_bytes),
			 "bytes_of_other_hosts", whole(s->stranger_bytes), "bytes_sent_again",
			 whole(s->again_bytes), "bytes_not_captured", whole(s->lost_bytes));
}

static json_t *sums_object(const struct audit *a)
{
	const struct pl_audit_verdict *v = &a->verdict;

	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "messages", whole(v->messages),
			 "payload_bytes", whole(v->payload_bytes), "header_bytes",
			 whole(v->header_bytes), "connection_bytes", whole(v->begin_bytes),
			 "expected_bytes", whole(v->expected_bytes), "sent_bytes",
			 whole(v->seen_bytes), "sent_messages",
			 a->monitored ? pl_tool_json_whole(v->seen_messages) : json_null());
}

static json_t *pair_object(const struct audit *a, const struct pl_audit_pair *p)
{
	const enum pl_pair_state state = pl_pair_judge(p, &a->o->tolerance, a->monitored);

	return json_pack("{s:o, s:o, s:s, s:I, s:I, s:I, s:I, s:I, s:I, s:o}", "src",
			 pl_tool_json_text(a->job.node.v[p->src].name), "dst",
			 pl_tool_json_text(a->job.node.v[p->dst].name), "state",
			 pl_pair_state_name(state), "messages", whole(p->messages), "payload_bytes",
			 whole(p->payload_bytes), "header_bytes", whole(p->header_bytes),
			 "control_bytes", whole(p->control_bytes), "connection_bytes",
			 whole(p->begin_bytes), "sent_bytes", whole(p->seen_bytes), "sent_messages",
			 a->monitored ? pl_tool_json_whole(p->seen_messages) : json_null());
}

static json_t *pair_list(const struct audit *a)
{
	json_t *list = json_array();

	for (size_t i = 0; i < a->pairs.n; i++)
		pl_list_add(&list, pair_object(a, &a->pairs.v[i]));
	return list;
}

/* In the order of their first ranks. */
static json_t *host_list(const struct audit *a)
{
	json_t *list = json_array();

	for (size_t i = 0; i < a->job.node.n; i++)
		pl_list_add(&list, pl_tool_json_text(a->job.node.v[i].name));
	return list;
}

static json_t *count_object(const struct audit *a)
{
	json_t *object = json_object();

	for (size_t s = 0; s < PL_PAIR_STATES; s++)
		pl_obj_set(&object, pl_pair_state_name((enum pl_pair_state)s),
			   pl_tool_json_whole(a->verdict.n[s]));
	return object;
}

static json_t *racks_object(const struct audit *a)
{
	const struct audit_racks *r = &a->racks;

	if (r->n == 0)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:I}", "racks", whole(r->n), "payload_bytes",
			 whole(r->payload_bytes), "expected_bytes", whole(r->expected_bytes),
			 "sent_bytes", whole(r->seen_bytes));
}

static json_t *message_object(const struct audit *a, size_t message)
{
	const struct pl_message *m = &a->pattern.message[message];

	return json_pack("{s:I, s:I, s:I}", "src", whole(m->src), "dst", whole(m->dst), "round",
			 whole(m->round));
}

static json_t *early_object(const struct audit *a)
{
	const struct pl_audit_early *e = &a->rounds.first;

	if (!a->rounds.n_early)
		return json_null();
	return json_pack("{s:I, s:o, s:o, s:I}", "repetition", whole(e->repetition), "message",
			 message_object(a, e->message), "awaited", message_object(a, e->awaited),
			 "early_ns", (json_int_t)(e->awaited_ns - e->sent_ns));
}

static json_t *order_object(const struct audit *a)
{
	if (a->rounds_state != AUDIT_ROUNDS_CHECKED)
		return json_null();
	return json_pack("{s:I, s:I, s:I, s:o}", "checked", whole(a->rounds.checked), "unchecked",
			 whole(a->rounds.unchecked), "early", whole(a->rounds.n_early), "first",
			 early_object(a));
}

int audit_json(const struct audit *a, FILE *out, struct pl_err *err)
{
	json_t *root =
		json_pack("{s:o, s:o, s:{s:I, s:f}, s:o, s:o, s:o, s:o, s:o, s:o, s:s}", "pattern",
			  call_object(a), "source", sources_object(a), "tolerance", "bytes",
			  whole(a->o->tolerance.bytes), "share", a->o->tolerance.share, "sums",
			  sums_object(a), "between_racks", racks_object(a), "counts",
			  count_object(a), "hosts", host_list(a), "pairs", pair_list(a), "order",
			  order_object(a), "result", audit_result(a));

	return pl_tool_json_write(AUDIT_TOOL, root, out, err);
}
