/* SPDX-License-Identifier: BSD-3-Clause */
/* control.c - the lines a coordinator and its agents exchange: from words and to words */
#include "config.h"

#include "probes/protocol/control.h"

#include "base/matrix/message-cost.h"
#include "base/text/number.h"
#include "base/text/text.h"

#include <inttypes.h>
#include <sodium.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define SECOND_NS INT64_C(1000000000)
#define DAY_NS INT64_C(86400000000000)
#define MILLION 1000000
#define WHY_MAX 128   /* characters; the figures need the rest of the line */
#define FIELDS_MAX 18 /* of a line, and one that ends them */

/* What stands in a place of a line. */
enum type {
	NONE,   /* the line ends */
	NUMBER, /* from min to max, to the member at that offset */
	SHARE,  /* of the settings, in millionths */
	PORT,
	PORTS, /* one or more, to the end of the line */
	NODE,
	TEXT,       /* the rest of the line */
	WHY,        /* the same, if anything failed; cut */
	ADDR,       /* "ADDRESS" */
	NAMED_ADDR, /* "IFACE ADDRESS/PREFIX" */
	VERBS,      /* "KIND NAME" */
	RUN,        /* "ID KEY" */
};

struct field {
	enum type type;
	size_t at, size; /* of the member of struct pl_msg */
	int64_t min, max;
};

static int take_int(struct pl_line *line, int64_t min, int64_t max, int64_t *out)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return -1;
	return pl_int_parse(word.s, word.len, min, max, out);
}

static int take_number(struct pl_line *line, const struct field *f, void *to)
{
	int64_t value;

	if (take_int(line, f->min, f->max, &value))
		return -1;
	if (f->size == sizeof(bool))
		*(bool *)to = value != 0;
	else if (f->size == sizeof(uint16_t))
		*(uint16_t *)to = (uint16_t)value;
	else if (f->size == sizeof(uint32_t))
		*(uint32_t *)to = (uint32_t)value;
	else
		*(int64_t *)to = value;
	return 0;
}

static int64_t number_at(const struct field *f, const void *from)
{
	if (f->size == sizeof(bool))
		return *(const bool *)from;
	if (f->size == sizeof(uint16_t))
		return *(const uint16_t *)from;
	if (f->size == sizeof(uint32_t))
		return *(const uint32_t *)from;
	return *(const int64_t *)from;
}

static int take_share(struct pl_line *line, double *share)
{
	int64_t ppm;

	if (take_int(line, 0, MILLION, &ppm))
		return -1;
	*share = (double)ppm / MILLION;
	return 0;
}

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

/* Sixteen ports take 96 characters: there is room for them. */
static int put_ports(const struct pl_msg *msg, char *out, size_t size)
{
	size_t len = 0;

	for (unsigned k = 0; k < msg->n_ports && len < size; k++)
		len += (size_t)snprintf(out + len, size - len, " %d", msg->port[k]);
	return (int)len;
}

void pl_text_tame(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < 0x20 || (unsigned char)*s > 0x7e)
			*s = '?';
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

static int take_named_addr(struct pl_line *line, struct pl_addr *addr)
{
	char iface[PL_IFACE_CHARS];

	if (take_word(line, iface, sizeof(iface)) || take_addr(line, addr))
		return -1;
	memcpy(addr->iface, iface, sizeof(iface));
	return 0;
}

static int take_verbs(struct pl_line *line, struct pl_verbs *verbs)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return -1;
	verbs->kind = pl_verbs_kind(word.s, word.len);
	if (verbs->kind == PL_VERBS_NONE)
		return -1;
	return take_word(line, verbs->name, sizeof(verbs->name));
}

static int take_hex(struct pl_line *line, uint8_t *out, size_t n)
{
	struct pl_word word;
	size_t got;

	if (!pl_line_next(line, &word) || word.len != 2 * n)
		return -1;
	return sodium_hex2bin(out, n, word.s, word.len, NULL, &got, NULL) || got != n ? -1 : 0;
}

static int take_run(struct pl_line *line, struct pl_msg *msg)
{
	uint8_t run[8];

	if (take_hex(line, run, sizeof(run)) || take_hex(line, msg->key, sizeof(msg->key)))
		return -1;
	for (size_t i = 0; i < sizeof(run); i++)
		msg->run = msg->run << 8 | run[i];
	return 0;
}

static int put_run(const struct pl_msg *msg, char *out, size_t size)
{
	char key[2 * PL_PACKET_KEY_BYTES + 1];
	int len;

	sodium_bin2hex(key, sizeof(key), msg->key, sizeof(msg->key));
	len = snprintf(out, size, " %016" PRIx64 " %s", msg->run, key);
	sodium_memzero(key, sizeof(key));
	return len;
}

/* Reads a field off the line. */
static int take(struct pl_line *line, const struct field *f, struct pl_msg *msg)
{
	switch (f->type) {
	case NUMBER:
		return take_number(line, f, (char *)msg + f->at);
	case SHARE:
		return take_share(line, &msg->settings.tolerance.share);
	case PORT:
		return take_ports(line, msg) || msg->n_ports != 1 ? -1 : 0;
	case PORTS:
		return take_ports(line, msg);
	case NODE:
		return take_word(line, msg->text, sizeof(msg->text));
	case TEXT:
		return take_rest(line, msg, sizeof(msg->text) - 1);
	case WHY:
		return take_rest(line, msg, WHY_MAX);
	case ADDR:
		return take_addr(line, &msg->addr);
	case NAMED_ADDR:
		return take_named_addr(line, &msg->addr);
	case VERBS:
		return take_verbs(line, &msg->verbs);
	case RUN:
		return take_run(line, msg);
	case NONE:
		break;
	}
	return 0;
}

/* Writes a field, with a blank before it; its length, as snprintf() has it. */
static int put(const struct pl_msg *msg, const struct field *f, char *out, size_t size)
{
	char addr[PL_ADDR_CHARS];

	switch (f->type) {
	case NUMBER:
		return snprintf(out, size, " %" PRId64, number_at(f, (const char *)msg + f->at));
	case SHARE:
		return snprintf(out, size, " %.0f", msg->settings.tolerance.share * MILLION);
	case PORT:
		return snprintf(out, size, " %d", msg->port[0]);
	case PORTS:
		return put_ports(msg, out, size);
	case NODE:
	case TEXT:
		return snprintf(out, size, " %s", msg->text);
	case WHY:
		return snprintf(out, size, "%s%.*s", msg->text[0] ? " " : "", WHY_MAX, msg->text);
	case ADDR:
		return snprintf(out, size, " %s", pl_addr_format(&msg->addr, addr));
	case NAMED_ADDR:
		return snprintf(out, size, " %s %s/%u", msg->addr.iface,
				pl_addr_format(&msg->addr, addr), msg->addr.prefix);
	case VERBS:
		return snprintf(out, size, " %s %s", pl_verbs_word(msg->verbs.kind),
				msg->verbs.name);
	case RUN:
		return put_run(msg, out, size);
	case NONE:
		break;
	}
	return 0;
}

static int check_settings(const struct pl_msg *msg)
{
	return msg->settings.probes_max < msg->settings.probes_min ? -1 : 0;
}

/* Counts add up, and percentiles ascend. */
static int check_result(const struct pl_msg *msg)
{
	const struct pl_probed_pair *p = &msg->pair;
	const struct pl_figures *t = &p->rtt;

	return p->answered > p->sent || p->lost != p->sent - p->answered || p->late > p->answered ||
			       p->sent > p->packets || t->min_ns > t->p10_ns ||
			       t->p10_ns > t->p50_ns || t->p50_ns > t->p90_ns ||
			       t->p90_ns > t->p99_ns
		       ? -1
		       : 0;
}

#define NUMBER_OF(member, least, most)                                                             \
	{                                                                                          \
		.type = NUMBER, .at = offsetof(struct pl_msg, member),                             \
		.size = sizeof(((struct pl_msg *)0)->member), .min = (least), .max = (most)        \
	}
#define COUNT(member) NUMBER_OF(member, 0, INT64_MAX)
#define SPAN(member) NUMBER_OF(member, 0, DAY_NS)
#define U16(member) NUMBER_OF(member, 0, UINT16_MAX)
#define IS(what)                                                                                   \
	{                                                                                          \
		.type = (what)                                                                     \
	}
#define PAIR U16(round), U16(peer)
/* what RECEIVE and SEND say of a flow */
#define ASK                                                                                        \
	PAIR, NUMBER_OF(ask.n_streams, 1, PL_STREAMS_MAX), NUMBER_OF(ask.limit_ns, 1, DAY_NS),     \
		NUMBER_OF(ask.bytes_max, 1, PL_FLOW_BYTES_LIMIT),                                  \
		NUMBER_OF(ask.silence_ns, 1, DAY_NS), NUMBER_OF(ask.settle_ppm, 0, MILLION),       \
		IS(ADDR)

/* The lines: the word that each begins with, and what follows it. */
static const struct form {
	const char *word;
	struct field field[FIELDS_MAX];
	int (*check)(const struct pl_msg *msg); /* NULL: each field is enough */
} forms[] = {
	[PL_MSG_HELLO] = {"plink-agent", {NUMBER_OF(protocol, 0, INT32_MAX), IS(TEXT)}, NULL},
	[PL_MSG_NODE] = {"node", {IS(NODE)}, NULL},
	[PL_MSG_ADDR] = {"addr", {IS(NAMED_ADDR)}, NULL},
	[PL_MSG_REACHED] = {"reached", {IS(NAMED_ADDR)}, NULL},
	[PL_MSG_VERBS] = {"verbs", {IS(VERBS)}, NULL},
	[PL_MSG_READY] = {.word = "ready"},
	[PL_MSG_BOUND] = {"bound", {COUNT(echo_ns), IS(PORTS)}, NULL},
	[PL_MSG_RESULT] = {"result",
			   {PAIR, COUNT(refused), NUMBER_OF(pair.packets, 0, PL_PACKETS_LIMIT),
			    COUNT(pair.sent), COUNT(pair.answered), COUNT(pair.lost),
			    COUNT(pair.late), COUNT(pair.duplicate), COUNT(pair.rtt.min_ns),
			    COUNT(pair.rtt.p10_ns), COUNT(pair.rtt.p50_ns), COUNT(pair.rtt.p90_ns),
			    COUNT(pair.rtt.p99_ns), COUNT(pair.rtt.spread_ns),
			    COUNT(pair.rtt.raw_ns), IS(WHY)},
			   check_result},
	[PL_MSG_BYE] = {"bye", {COUNT(refused), COUNT(stale)}, NULL},
	[PL_MSG_ERROR] = {"error", {IS(TEXT)}, NULL},
	[PL_MSG_RUN] = {"run",
			{IS(RUN), U16(self), NUMBER_OF(n_flows, 1, PL_FLOWS_MAX), IS(ADDR)},
			NULL},
	[PL_MSG_SETTINGS] = {"settings",
			     {NUMBER_OF(settings.probes_min, 1, PL_PROBES_LIMIT),
			      NUMBER_OF(settings.probes_max, 1, PL_PROBES_LIMIT), IS(SHARE),
			      SPAN(settings.tolerance.ns), SPAN(settings.gap_ns),
			      SPAN(settings.pair_ns), SPAN(settings.limit_ns),
			      SPAN(settings.silence_ns)},
			     check_settings},
	[PL_MSG_ROUND] = {"round",
			  {PAIR, NUMBER_OF(packets_max, 1, PL_PACKETS_LIMIT), IS(ADDR), IS(PORTS)},
			  NULL},
	[PL_MSG_ANSWER] = {"answer", {PAIR, IS(ADDR), IS(PORTS)}, NULL},
	[PL_MSG_REST] = {"rest", {U16(round)}, NULL},
	[PL_MSG_END] = {.word = "end"},
	[PL_MSG_RECEIVE] = {"receive", {ASK}, NULL},
	[PL_MSG_SEND] = {"send", {ASK, IS(PORT)}, NULL},
	[PL_MSG_GO] = {"go", {U16(round)}, NULL},
	[PL_MSG_LISTENING] = {"listening", {PAIR, IS(PORT)}, NULL},
	[PL_MSG_JOINED] = {"joined", {PAIR, IS(WHY)}, NULL},
	[PL_MSG_FLOWED] = {"flowed",
			   {PAIR, COUNT(refused), COUNT(flow.bytes), SPAN(flow.ns),
			    COUNT(flow.bytes_per_s), NUMBER_OF(flow.settled, 0, 1),
			    COUNT(flow.resent), IS(WHY)},
			   NULL},
	[PL_MSG_COSTS] = {.word = "costs"},
	[PL_MSG_COST] =
		{"cost",
		 {NUMBER_OF(cost.send_ns, 0, SECOND_NS), NUMBER_OF(cost.recv_ns, 0, SECOND_NS),
		  NUMBER_OF(cost.wake_ns, 0, SECOND_NS), NUMBER_OF(cost.spread_ns, 0, SECOND_NS),
		  NUMBER_OF(cost.share_ppm, 0, MILLION), NUMBER_OF(cost.cores, 0, PL_CORES_MAX)},
		 NULL},
	[PL_MSG_PING] = {.word = "ping"},
	[PL_MSG_PONG] = {.word = "pong"},
};

static int take_fields(struct pl_line *line, const struct form *form, struct pl_msg *msg)
{
	struct pl_word more;

	for (const struct field *f = form->field; f->type; f++)
		if (take(line, f, msg))
			return -1;
	if (pl_line_next(line, &more))
		return -1;
	return form->check ? form->check(msg) : 0;
}

int pl_msg_parse(const char *line, size_t len, struct pl_msg *msg)
{
	struct pl_line rest = {.s = line, .len = len};
	struct pl_word word;

	memset(msg, 0, sizeof(*msg));
	if (!pl_line_next(&rest, &word))
		return -1;
	for (size_t k = 0; k < sizeof(forms) / sizeof(forms[0]); k++)
		if (pl_word_is(&word, forms[k].word)) {
			msg->kind = (enum pl_msg_kind)k;
			return take_fields(&rest, &forms[k], msg);
		}
	return -1;
}

size_t pl_msg_format(const struct pl_msg *msg, char out[PL_LINE_CHARS])
{
	const size_t room = PL_LINE_CHARS - 1; /* for the LF */
	const struct form *form = &forms[msg->kind];
	size_t len = (size_t)snprintf(out, room, "%s", form->word);

	for (const struct field *f = form->field; f->type && len < room; f++)
		len += (size_t)put(msg, f, out + len, room - len);
	if (len >= room)
		len = room - 1;
	out[len] = '\0';
	pl_text_tame(out);
	out[len++] = '\n';
	out[len] = '\0';
	return len;
}
