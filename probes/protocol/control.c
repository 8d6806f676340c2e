/* SPDX-License-Identifier: BSD-3-Clause */
/* control.c - the lines a coordinator and its agents exchange: from words */
#include "config.h"

#include "probes/protocol/control.h"

#include "base/text/number.h"
#include "base/text/text.h"
#include "probes/protocol/words.h"

#include <sodium.h>
#include <string.h>

#define DAY_NS INT64_C(86400000000000)

const char *const pl_msg_words[PL_MSG_KINDS] = {
	[PL_MSG_HELLO] = "plink-agent",
	[PL_MSG_NODE] = "node",
	[PL_MSG_ADDR] = "addr",
	[PL_MSG_VERBS] = "verbs",
	[PL_MSG_READY] = "ready",
	[PL_MSG_BOUND] = "bound",
	[PL_MSG_RESULT] = "result",
	[PL_MSG_BYE] = "bye",
	[PL_MSG_ERROR] = "error",
	[PL_MSG_RUN] = "run",
	[PL_MSG_SETTINGS] = "settings",
	[PL_MSG_ROUND] = "round",
	[PL_MSG_ANSWER] = "answer",
	[PL_MSG_REST] = "rest",
	[PL_MSG_END] = "end",
	[PL_MSG_RECEIVE] = "receive",
	[PL_MSG_SEND] = "send",
	[PL_MSG_GO] = "go",
	[PL_MSG_LISTENING] = "listening",
	[PL_MSG_JOINED] = "joined",
	[PL_MSG_FLOWED] = "flowed",
	[PL_MSG_PING] = "ping",
	[PL_MSG_PONG] = "pong",
	[PL_MSG_RELAY] = "relay",
};

static int take_int(struct pl_line *line, int64_t min, int64_t max,
		    int64_t *out)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return -1;
	return pl_int_parse(word.s, word.len, min, max, out);
}

static int take_u16(struct pl_line *line, uint16_t *out)
{
	int64_t value;

	if (take_int(line, 0, UINT16_MAX, &value))
		return -1;
	*out = (uint16_t)value;
	return 0;
}

static int take_u64(struct pl_line *line, uint64_t *out)
{
	int64_t value;

	if (take_int(line, 0, INT64_MAX, &value))
		return -1;
	*out = (uint64_t)value;
	return 0;
}

/* The rest of the line: one port or more. */
static int take_ports(struct pl_line *line, struct pl_msg *msg)
{
	struct pl_word word;
	int64_t value;

	while (pl_line_next(line, &word)) {
		if (msg->n_ports == PL_FLOWS_MAX ||
		    pl_int_parse(word.s, word.len, 1, UINT16_MAX, &value))
			return -1;
		msg->port[msg->n_ports++] = (int)value;
	}
	return msg->n_ports > 0 ? 0 : -1;
}

static int copy(char *to, size_t size, const struct pl_word *word)
{
	if (word->len >= size)
		return -1;
	memcpy(to, word->s, word->len);
	to[word->len] = '\0';
	pl_text_tame(to);
	return 0;
}

static int take_word(struct pl_line *line, char *to, size_t size)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return -1;
	return copy(to, size, &word);
}

/* What is left of the line, cut to @most characters. */
static int take_rest(struct pl_line *line, struct pl_msg *msg, size_t most)
{
	struct pl_word word = pl_line_rest(line);

	if (word.len > most)
		word.len = most;
	while (word.len > 0 && strchr(" \t", word.s[word.len - 1]))
		word.len--;
	return copy(msg->text, sizeof(msg->text), &word);
}

static int take_addr(struct pl_line *line, struct pl_addr *addr)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return -1;
	return pl_addr_parse(word.s, word.len, addr);
}

static int take_hex(struct pl_line *line, uint8_t *out, size_t n)
{
	struct pl_word word;
	size_t got;

	if (!pl_line_next(line, &word) || word.len != 2 * n)
		return -1;
	return sodium_hex2bin(out, n, word.s, word.len, NULL, &got, NULL) ||
			       got != n
		       ? -1
		       : 0;
}

/* The word that may end a run's line. */
static int take_insecure(struct pl_line *line, bool *insecure)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return 0;
	*insecure = pl_word_is(&word, PL_MSG_INSECURE);
	return *insecure ? 0 : -1;
}

static int parse_run(struct pl_line *line, struct pl_msg *msg)
{
	uint8_t run[8];
	int64_t n_flows;

	if (take_hex(line, run, sizeof(run)) ||
	    take_hex(line, msg->key, sizeof(msg->key)) ||
	    take_u16(line, &msg->self) ||
	    take_int(line, 1, PL_FLOWS_MAX, &n_flows))
		return -1;
	msg->n_flows = (unsigned)n_flows;
	for (size_t i = 0; i < sizeof(run); i++)
		msg->run = msg->run << 8 | run[i];
	if (take_addr(line, &msg->addr))
		return -1;
	return take_insecure(line, &msg->insecure);
}

static int parse_named_addr(struct pl_line *line, struct pl_msg *msg)
{
	char iface[PL_IFACE_CHARS];

	if (take_word(line, iface, sizeof(iface)) ||
	    take_addr(line, &msg->addr))
		return -1;
	memcpy(msg->addr.iface, iface, sizeof(iface));
	return 0;
}

static int parse_verbs(struct pl_line *line, struct pl_verbs *verbs)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return -1;
	verbs->kind = pl_verbs_kind(word.s, word.len);
	if (verbs->kind == PL_VERBS_NONE)
		return -1;
	return take_word(line, verbs->name, sizeof(verbs->name));
}

static int parse_settings(struct pl_line *line, struct pl_prober_options *o)
{
	int64_t *const spans[] = {&o->tolerance.ns, &o->gap_ns, &o->pair_ns,
				  &o->limit_ns, &o->silence_ns};
	int64_t min, max, ppm;

	if (take_int(line, 1, PL_PROBES_LIMIT, &min) ||
	    take_int(line, min, PL_PROBES_LIMIT, &max) ||
	    take_int(line, 0, PL_MSG_MILLION, &ppm))
		return -1;
	o->probes_min = (uint32_t)min;
	o->probes_max = (uint32_t)max;
	o->tolerance.share = (double)ppm / PL_MSG_MILLION;
	for (size_t i = 0; i < sizeof(spans) / sizeof(spans[0]); i++)
		if (take_int(line, 0, DAY_NS, spans[i]))
			return -1;
	return 0;
}

static int parse_bound(struct pl_line *line, struct pl_msg *msg)
{
	if (take_int(line, 0, INT64_MAX, &msg->echo_ns))
		return -1;
	return take_ports(line, msg);
}

static int parse_round(struct pl_line *line, struct pl_msg *msg)
{
	int64_t most = 0;

	if (take_u16(line, &msg->round) || take_u16(line, &msg->peer))
		return -1;
	if (msg->kind == PL_MSG_ROUND &&
	    take_int(line, 1, PL_PACKETS_LIMIT, &most))
		return -1;
	msg->packets_max = (uint32_t)most;
	if (take_addr(line, &msg->addr))
		return -1;
	return take_ports(line, msg);
}

static int parse_result(struct pl_line *line, struct pl_msg *msg)
{
	struct pl_probed_pair *p = &msg->pair;
	uint64_t *const counts[] = {&p->packets, &p->sent, &p->answered,
				    &p->lost,    &p->late, &p->duplicate};
	int64_t *const times[] = {&p->rtt.min_ns, &p->rtt.p10_ns,
				  &p->rtt.p50_ns, &p->rtt.p90_ns,
				  &p->rtt.p99_ns};
	int64_t least = 0;

	if (take_u16(line, &msg->round) || take_u16(line, &msg->peer) ||
	    take_u64(line, &msg->refused))
		return -1;
	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (take_u64(line, counts[i]))
			return -1;
	for (size_t i = 0; i < sizeof(times) / sizeof(times[0]); i++) {
		if (take_int(line, least, INT64_MAX, times[i]))
			return -1;
		least = *times[i]; /* percentiles ascend */
	}
	if (p->answered > p->sent || p->lost != p->sent - p->answered ||
	    p->late > p->answered || p->sent > p->packets ||
	    p->packets > PL_PACKETS_LIMIT ||
	    take_int(line, 0, INT64_MAX, &p->rtt.spread_ns) ||
	    take_int(line, 0, INT64_MAX, &p->rtt.raw_ns))
		return -1;
	return take_rest(line, msg, PL_MSG_WHY_MAX);
}

static int take_pair(struct pl_line *line, struct pl_msg *msg)
{
	return take_u16(line, &msg->round) || take_u16(line, &msg->peer) ? -1
									 : 0;
}

static int take_port(struct pl_line *line, struct pl_msg *msg)
{
	return take_ports(line, msg) || msg->n_ports != 1 ? -1 : 0;
}

static int parse_ask(struct pl_line *line, struct pl_msg *msg)
{
	struct pl_flow_ask *ask = &msg->ask;
	int64_t streams, bytes, settle;

	if (take_pair(line, msg) ||
	    take_int(line, 1, PL_STREAMS_MAX, &streams) ||
	    take_int(line, 1, DAY_NS, &ask->limit_ns) ||
	    take_int(line, 1, PL_FLOW_BYTES_LIMIT, &bytes) ||
	    take_int(line, 1, DAY_NS, &ask->silence_ns) ||
	    take_int(line, 0, PL_MSG_MILLION, &settle) ||
	    take_addr(line, &msg->addr))
		return -1;
	ask->n_streams = (unsigned)streams;
	ask->bytes_max = (uint64_t)bytes;
	ask->settle_ppm = (uint32_t)settle;
	return msg->kind == PL_MSG_SEND ? take_port(line, msg) : 0;
}

static int parse_flowed(struct pl_line *line, struct pl_msg *msg)
{
	struct pl_flow_figures *f = &msg->flow;
	int64_t settled;

	if (take_pair(line, msg) || take_u64(line, &msg->refused) ||
	    take_u64(line, &f->bytes) || take_int(line, 0, DAY_NS, &f->ns) ||
	    take_u64(line, &f->bytes_per_s) || take_int(line, 0, 1, &settled) ||
	    take_u64(line, &f->resent))
		return -1;
	f->settled = settled == 1;
	return take_rest(line, msg, PL_MSG_WHY_MAX);
}

static int parse_joined(struct pl_line *line, struct pl_msg *msg)
{
	return take_pair(line, msg) ? -1 : take_rest(line, msg, PL_MSG_WHY_MAX);
}

static int parse_listening(struct pl_line *line, struct pl_msg *msg)
{
	return take_pair(line, msg) ? -1 : take_port(line, msg);
}

static int parse_fields(struct pl_line *line, struct pl_msg *msg)
{
	switch (msg->kind) {
	case PL_MSG_HELLO:
		if (take_int(line, 0, INT32_MAX, &msg->protocol))
			return -1;
		return take_rest(line, msg, sizeof(msg->text) - 1);
	case PL_MSG_NODE:
		return take_word(line, msg->text, sizeof(msg->text));
	case PL_MSG_ADDR:
		return parse_named_addr(line, msg);
	case PL_MSG_VERBS:
		return parse_verbs(line, &msg->verbs);
	case PL_MSG_BOUND:
		return parse_bound(line, msg);
	case PL_MSG_RESULT:
		return parse_result(line, msg);
	case PL_MSG_BYE:
		if (take_u64(line, &msg->refused))
			return -1;
		return take_u64(line, &msg->stale);
	case PL_MSG_ERROR:
		return take_rest(line, msg, sizeof(msg->text) - 1);
	case PL_MSG_RUN:
		return parse_run(line, msg);
	case PL_MSG_SETTINGS:
		return parse_settings(line, &msg->settings);
	case PL_MSG_ROUND:
	case PL_MSG_ANSWER:
		return parse_round(line, msg);
	case PL_MSG_REST:
	case PL_MSG_GO:
		return take_u16(line, &msg->round);
	case PL_MSG_RECEIVE:
	case PL_MSG_SEND:
		return parse_ask(line, msg);
	case PL_MSG_LISTENING:
		return parse_listening(line, msg);
	case PL_MSG_JOINED:
		return parse_joined(line, msg);
	case PL_MSG_FLOWED:
		return parse_flowed(line, msg);
	case PL_MSG_READY:
	case PL_MSG_END:
	case PL_MSG_PING:
	case PL_MSG_PONG:
	case PL_MSG_RELAY:
		return 0;
	}
	return -1;
}

int pl_msg_parse(const char *line, size_t len, struct pl_msg *msg)
{
	struct pl_line rest = {.s = line, .len = len};
	struct pl_word word;

	memset(msg, 0, sizeof(*msg));
	if (!pl_line_next(&rest, &word))
		return -1;
	for (size_t k = 0; k < PL_MSG_KINDS; k++) {
		if (!pl_word_is(&word, pl_msg_words[k]))
			continue;
		msg->kind = (enum pl_msg_kind)k;
		if (parse_fields(&rest, msg))
			return -1;
		return pl_line_next(&rest, &word) ? -1 : 0;
	}
	return -1;
}
