/* SPDX-License-Identifier: BSD-3-Clause */
/* control-format.c - the lines a coordinator and its agents exchange: to
 * words */
#include "config.h"

#include "probes/protocol/control.h"
#include "probes/protocol/words.h"

#include <inttypes.h>
#include <sodium.h>
#include <stdio.h>

void pl_text_tame(char *s)
{
	for (; *s; s++)
		if ((unsigned char)*s < 0x20 || (unsigned char)*s > 0x7e)
			*s = '?';
}

static int format_run(const struct pl_msg *msg, char *out, size_t size)
{
	char key[2 * PL_PACKET_KEY_BYTES + 1], addr[PL_ADDR_CHARS];
	int len;

	sodium_bin2hex(key, sizeof(key), msg->key, sizeof(msg->key));
	len = snprintf(out, size, " %016" PRIx64 " %s %u %u %s%s", msg->run,
		       key, msg->self, msg->n_flows,
		       pl_addr_format(&msg->addr, addr),
		       msg->insecure ? " " PL_MSG_INSECURE : "");
	sodium_memzero(key, sizeof(key));
	return len;
}

static int format_settings(const struct pl_prober_options *o, char *out,
			   size_t size)
{
	return snprintf(out, size,
			" %u %u %.0f %" PRId64 " %" PRId64 " %" PRId64
			" %" PRId64 " %" PRId64,
			o->probes_min, o->probes_max,
			o->tolerance.share * PL_MSG_MILLION, o->tolerance.ns,
			o->gap_ns, o->pair_ns, o->limit_ns, o->silence_ns);
}

static int format_result(const struct pl_msg *msg, char *out, size_t size)
{
	const struct pl_probed_pair *p = &msg->pair;

	return snprintf(out, size,
			" %u %u %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRIu64
			" %" PRIu64 " %" PRIu64 " %" PRIu64 " %" PRId64
			" %" PRId64 " %" PRId64 " %" PRId64 " %" PRId64
			" %" PRId64 " %" PRId64 "%s%.*s",
			msg->round, msg->peer, msg->refused, p->packets,
			p->sent, p->answered, p->lost, p->late, p->duplicate,
			p->rtt.min_ns, p->rtt.p10_ns, p->rtt.p50_ns,
			p->rtt.p90_ns, p->rtt.p99_ns, p->rtt.spread_ns,
			p->rtt.raw_ns, msg->text[0] ? " " : "", PL_MSG_WHY_MAX,
			msg->text);
}

/* Sixteen ports take 96 characters: there is room for them. */
static int format_ports(const struct pl_msg *msg, char *out, size_t size)
{
	size_t len = 0;

	for (unsigned k = 0; k < msg->n_ports && len < size; k++)
		len += (size_t)snprintf(out + len, size - len, " %d",
					msg->port[k]);
	return (int)len;
}

static int format_round(const struct pl_msg *msg, char *out, size_t size)
{
	char addr[PL_ADDR_CHARS];
	size_t len =
		(size_t)snprintf(out, size, " %u %u", msg->round, msg->peer);

	if (msg->kind == PL_MSG_ROUND)
		len += (size_t)snprintf(out + len, size - len, " %u",
					msg->packets_max);
	len += (size_t)snprintf(out + len, size - len, " %s",
				pl_addr_format(&msg->addr, addr));
	return (int)len + format_ports(msg, out + len, size - len);
}

static int format_bound(const struct pl_msg *msg, char *out, size_t size)
{
	const int len = snprintf(out, size, " %" PRId64, msg->echo_ns);

	return len + format_ports(msg, out + len, size - (size_t)len);
}

static int format_ask(const struct pl_msg *msg, char *out, size_t size)
{
	const struct pl_flow_ask *ask = &msg->ask;
	char addr[PL_ADDR_CHARS];
	const int len =
		snprintf(out, size,
			 " %u %u %u %" PRId64 " %" PRIu64 " %" PRId64 " %u %s",
			 msg->round, msg->peer, ask->n_streams, ask->limit_ns,
			 ask->bytes_max, ask->silence_ns, ask->settle_ppm,
			 pl_addr_format(&msg->addr, addr));

	return len + format_ports(msg, out + len, size - (size_t)len);
}

static int format_flowed(const struct pl_msg *msg, char *out, size_t size)
{
	const struct pl_flow_figures *f = &msg->flow;

	return snprintf(out, size,
			" %u %u %" PRIu64 " %" PRIu64 " %" PRId64 " %" PRIu64
			" %d %" PRIu64 "%s%.*s",
			msg->round, msg->peer, msg->refused, f->bytes, f->ns,
			f->bytes_per_s, f->settled, f->resent,
			msg->text[0] ? " " : "", PL_MSG_WHY_MAX, msg->text);
}

static int format_fields(const struct pl_msg *msg, char *out, size_t size)
{
	char addr[PL_ADDR_CHARS];

	switch (msg->kind) {
	case PL_MSG_HELLO:
		return snprintf(out, size, " %" PRId64 " %s", msg->protocol,
				msg->text);
	case PL_MSG_NODE:
	case PL_MSG_ERROR:
		return snprintf(out, size, " %s", msg->text);
	case PL_MSG_ADDR:
		return snprintf(out, size, " %s %s/%u", msg->addr.iface,
				pl_addr_format(&msg->addr, addr),
				msg->addr.prefix);
	case PL_MSG_VERBS:
		return snprintf(out, size, " %s %s",
				pl_verbs_word(msg->verbs.kind),
				msg->verbs.name);
	case PL_MSG_BOUND:
		return format_bound(msg, out, size);
	case PL_MSG_RESULT:
		return format_result(msg, out, size);
	case PL_MSG_BYE:
		return snprintf(out, size, " %" PRIu64 " %" PRIu64,
				msg->refused, msg->stale);
	case PL_MSG_RUN:
		return format_run(msg, out, size);
	case PL_MSG_SETTINGS:
		return format_settings(&msg->settings, out, size);
	case PL_MSG_ROUND:
	case PL_MSG_ANSWER:
		return format_round(msg, out, size);
	case PL_MSG_REST:
	case PL_MSG_GO:
		return snprintf(out, size, " %u", msg->round);
	case PL_MSG_RECEIVE:
	case PL_MSG_SEND:
		return format_ask(msg, out, size);
	case PL_MSG_LISTENING:
		return snprintf(out, size, " %u %u %d", msg->round, msg->peer,
				msg->port[0]);
	case PL_MSG_JOINED:
		return snprintf(out, size, " %u %u%s%.*s", msg->round,
				msg->peer, msg->text[0] ? " " : "",
				PL_MSG_WHY_MAX, msg->text);
	case PL_MSG_FLOWED:
		return format_flowed(msg, out, size);
	case PL_MSG_READY:
	case PL_MSG_END:
	case PL_MSG_PING:
	case PL_MSG_PONG:
	case PL_MSG_RELAY:
		break;
	}
	return 0;
}

size_t pl_msg_format(const struct pl_msg *msg, char out[PL_LINE_CHARS])
{
	const size_t room = PL_LINE_CHARS - 1; /* for the LF */
	size_t len = (size_t)snprintf(out, room, "%s", pl_msg_words[msg->kind]);

	len += (size_t)format_fields(msg, out + len, room - len);
	if (len >= room)
		len = room - 1;
	out[len] = '\0';
	pl_text_tame(out);
	out[len++] = '\n';
	out[len] = '\0';
	return len;
}
