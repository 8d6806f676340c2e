/* SPDX-License-Identifier: BSD-3-Clause */
/* flood.c - an agent in its round, and packets that it must not answer */
#include "config.h"

#include "bench/flood.h"

#include "src/common/tool.h"

#include <netinet/in.h>
#include <poll.h>
#include <sodium.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define S INT64_C(1000000000)
#define PATIENCE_MS 20000
#define ROUND 1
#define NEVER_SENT 1000000 /* no request of the agent's has that number */

const char *const flood_names[FLOOD_KINDS] = {
	[FLOOD_RANDOM] = "random",
	[FLOOD_SHORT] = "cut short",
	[FLOOD_STRANGER] = "from a stranger",
	[FLOOD_FORGED] = "forged",
	[FLOOD_REPLAYED] = "replayed",
	[FLOOD_EARLIER] = "of an earlier round",
	[FLOOD_REPLY] = "replies to nothing",
	[FLOOD_REPLIED] = "replies once more",
	[FLOOD_THROWN] = "thrown back",
};

static bool hear(struct flood *f, enum pl_msg_kind kind, struct pl_msg *msg)
{
	struct pollfd p = {.fd = f->agent.out, .events = POLLIN};
	char line[PL_LINE_CHARS];

	for (;;) {
		if (pl_lines_next(&f->lines, line) > 0) {
			if (line[0] && !pl_msg_parse(line, strlen(line), msg) && msg->kind == kind)
				return true;
			continue;
		}
		if (poll(&p, 1, PATIENCE_MS) <= 0 ||
		    pl_lines_fill(&f->lines, f->agent.out) == PL_LINES_END)
			return false;
	}
}

static bool tell(struct flood *f, const struct pl_msg *msg)
{
	char line[PL_LINE_CHARS];
	const size_t len = pl_msg_format(msg, line);

	return write(f->agent.in, line, len) == (ssize_t)len;
}

/* RUN, SETTINGS and ROUND, with ourselves as the peer. */
static bool begin(struct flood *f)
{
	struct pl_msg msg = {.kind = PL_MSG_RUN, .run = 42, .self = 1, .n_flows = 1};

	randombytes_buf(f->us.key, sizeof(f->us.key));
	memcpy(msg.key, f->us.key, sizeof(msg.key));
	f->us.run = msg.run;
	msg.addr = f->addr;
	f->udp = pl_wire_bind(&f->addr, 0, 0, &f->port, NULL);
	f->stranger = pl_wire_bind(&f->addr, 0, 0, &(int){0}, NULL);
	if (f->udp < 0 || f->stranger < 0 || !tell(f, &msg) || !hear(f, PL_MSG_BOUND, &msg))
		return false;
	pl_addr_socket(&f->addr, msg.port[0], &f->at);
	msg = (struct pl_msg){
		.kind = PL_MSG_SETTINGS,
		.settings = {.probes_min = f->probes,
			     .probes_max = f->probes,
			     .gap_ns = f->probes > 1 ? S / 1000 : S,
			     .pair_ns = 60 * S,
			     .limit_ns = 60 * S,
			     .silence_ns = 60 * S},
	};
	if (!tell(f, &msg))
		return false;
	msg = (struct pl_msg){
		.kind = PL_MSG_ROUND,
		.round = ROUND,
		.packets_max = PL_PACKETS_LIMIT,
		.addr = f->addr,
		.port = {f->port},
		.n_ports = 1,
	};
	pl_exchange_open(&f->us, ROUND, 1, &f->at, 1);
	return tell(f, &msg);
}

/* Starts the agent; its first IPv4 address on the loopback is the place. */
bool flood_start(struct flood *f, char *const argv[], uint32_t probes, struct pl_err *err)
{
	struct pl_msg msg;

	f->probes = probes;
	if (pl_launch_spawn(&f->agent, argv, err))
		return false;
	pl_wire_clock_init(&f->clock);
	if (!hear(f, PL_MSG_ADDR, &msg)) {
		pl_err_set(err, PL_ESYSTEM, "%s does not greet", argv[0]);
		return false;
	}
	f->addr = msg.addr;
	if (begin(f))
		return true;
	pl_err_set(err, PL_ESYSTEM, "%s does not begin its round", argv[0]);
	return false;
}

static void make(struct flood *f, enum flood_kind kind, uint8_t out[PL_PACKET_BYTES])
{
	const struct pl_packet never = {.seq = NEVER_SENT + f->seq};
	const struct pl_packet maybe = {.seq = (uint32_t)pl_rng_below(&f->rng, f->probes)};
	uint64_t chance[PL_PACKET_BYTES / 8];

	switch (kind) {
	case FLOOD_RANDOM:
		for (size_t i = 0; i < PL_PACKET_BYTES / 8; i++)
			chance[i] = pl_rng_u64(&f->rng);
		memcpy(out, chance, PL_PACKET_BYTES);
		break;
	case FLOOD_REPLAYED:
		memcpy(out, f->last, PL_PACKET_BYTES);
		break;
	case FLOOD_REPLIED:
		memcpy(out, f->replied_last, PL_PACKET_BYTES);
		break;
	case FLOOD_THROWN:
		memcpy(out, f->thrown[f->sent[kind] % 2], PL_PACKET_BYTES);
		break;
	case FLOOD_EARLIER:
		f->us.round = ROUND - 1;
		pl_exchange_request(&f->us, f->seq + 1, out);
		f->us.round = ROUND;
		break;
	case FLOOD_REPLY:
		pl_exchange_reply(&f->us, &never, 0, out);
		break;
	case FLOOD_FORGED:
		if (pl_rng_below(&f->rng, 2))
			pl_exchange_reply(&f->us, &maybe, 0, out);
		else
			pl_exchange_request(&f->us, f->seq + 1, out);
		out[PL_PACKET_BYTES - 1] ^= (uint8_t)(1 + pl_rng_below(&f->rng, 255));
		break;
	default:
		pl_exchange_request(&f->us, f->seq + 1, out);
	}
}

void flood_send(struct flood *f, enum flood_kind kind)
{
	const int fd = kind == FLOOD_STRANGER ? f->stranger : f->udp;
	size_t len = PL_PACKET_BYTES;
	uint8_t packet[PL_PACKET_BYTES];

	make(f, kind, packet);
	if (kind == FLOOD_SHORT)
		len = pl_rng_below(&f->rng, PL_PACKET_BYTES);
	if (sendto(fd, packet, len, 0, (const struct sockaddr *)&f->at,
		   sizeof(struct sockaddr_in)) == (ssize_t)len)
		f->sent[kind]++;
}

static void count_strangers(struct flood *f)
{
	uint8_t data[PL_PACKET_BYTES];

	while (recv(f->stranger, data, sizeof(data), MSG_DONTWAIT) >= 0)
		f->strangers++;
}

/* A probe of the agent's. */
static void reply(struct flood *f, const struct pl_packet *request)
{
	uint8_t out[PL_PACKET_BYTES];

	if (f->probes == 1)
		return;
	pl_exchange_reply(&f->us, request, 0, out);
	pl_wire_send(f->udp, out, sizeof(out), &f->at);
	memcpy(f->replied_last, out, sizeof(out));
	f->replied++;
}

bool flood_ask(struct flood *f)
{
	struct pollfd p = {.fd = f->udp, .events = POLLIN};
	struct pl_arrival arrival;
	struct pl_packet packet;
	uint8_t data[PL_PACKET_BYTES + 1];

	pl_exchange_request(&f->us, ++f->seq, f->last);
	pl_wire_send(f->udp, f->last, sizeof(f->last), &f->at);
	f->asked++;
	count_strangers(f);
	while (poll(&p, 1, PATIENCE_MS) > 0) {
		const ssize_t len =
			pl_wire_receive(f->udp, &f->clock, data, sizeof(data), &arrival);

		if (len < 0)
			continue;
		if (pl_packet_parse(&packet, data, (size_t)len, f->us.key)) {
			f->strangers++;
			continue;
		}
		memcpy(f->thrown[packet.direction == PL_REPLY], data, PL_PACKET_BYTES);
		if (packet.direction == PL_REQUEST)
			reply(f, &packet);
		else if (packet.seq == f->seq)
			return true;
		else
			f->strangers++;
	}
	return false;
}

/* Is the agent's result what we answered, and no more? */
static bool hear_result(struct flood *f)
{
	const struct pl_probed_pair *p = &f->result;
	struct pollfd fd = {.fd = f->agent.out, .events = POLLIN};
	struct pl_msg msg;

	if (f->probes == 1)
		return true;
	while (poll(&fd, 1, 0) == 0)
		if (!flood_ask(f))
			return false;
	if (!hear(f, PL_MSG_RESULT, &msg))
		return false;
	f->result = msg.pair;
	return p->sent == f->probes && p->answered + p->lost == p->sent && p->answered > 0 &&
	       p->answered < f->replied && (p->duplicate == 0 || f->sent[FLOOD_REPLIED] > 0);
}

bool flood_finish(struct flood *f)
{
	const struct pl_msg end = {.kind = PL_MSG_END};
	struct pl_msg bye;
	int status;

	if (!hear_result(f) || !tell(f, &end) || !hear(f, PL_MSG_BYE, &bye))
		return false;
	f->refused = bye.refused;
	f->stale = bye.stale;
	close(f->agent.in);
	close(f->agent.out);
	close(f->agent.err);
	close(f->udp);
	close(f->stranger);
	return waitpid(f->agent.pid, &status, 0) > 0 && status == 0;
}
