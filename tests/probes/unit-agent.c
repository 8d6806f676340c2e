/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-agent.c - a live plink-agent and a peer that does not play by the
 * rules */
#include "config.h"

#include "probes/agent/exchange.h"
#include "probes/agent/wire.h"
#include "probes/launch/spawn.h"
#include "probes/pair/prober.h"
#include "probes/protocol/control.h"
#include "tests/tap.h"

#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATIENCE_MS 20000 /* a hung agent fails the test instead of hanging it */
#define MS INT64_C(1000000)

/* The agent is host 1, we are host 0. */
struct scene {
	struct pl_child agent;
	struct pl_lines lines;
	struct pl_probe_exchange us;
	struct sockaddr_storage at; /* the agent */
	struct pl_addr addr;
	int udp, port; /* ours */
	struct pl_wire_clock clock;
	int agent_port;
	uint32_t heard_seq; /* the agent's last request */
};

/* The next line of the agent's; false when it ended or hangs. */
static bool hear(struct scene *s, struct pl_msg *msg)
{
	struct pollfd p = {.fd = s->agent.out, .events = POLLIN};
	char line[PL_LINE_CHARS];

	for (;;) {
		if (pl_lines_next(&s->lines, line) > 0) {
			if (!line[0]) /* that begins the greeting */
				continue;
			return !pl_msg_parse(line, strlen(line), msg);
		}
		if (poll(&p, 1, PATIENCE_MS) <= 0 ||
		    pl_lines_fill(&s->lines, s->agent.out) == PL_LINES_END)
			return false;
	}
}

static bool hear_kind(struct scene *s, enum pl_msg_kind kind, struct pl_msg *msg)
{
	return hear(s, msg) && msg->kind == kind;
}

static void tell(struct scene *s, const struct pl_msg *msg)
{
	char line[PL_LINE_CHARS];
	const size_t len = pl_msg_format(msg, line);

	if (write(s->agent.in, line, len) != (ssize_t)len)
		ok(false, "the agent takes commands");
}

/* @option: one more, or NULL. */
static bool start_with(struct scene *s, const char *option)
{
	const char *dir = getenv("builddir");
	char path[4096];
	char *argv[] = {path, (char *)"--iface=lo", (char *)option, NULL};
	struct pl_err err = {0};
	struct pl_msg msg;

	memset(s, 0, sizeof(*s));
	snprintf(path, sizeof(path), "%s/plink-agent", dir ? dir : ".");
	if (pl_launch_spawn(&s->agent, argv, &err))
		return ok(false, "%s", err.text);
	if (!hear_kind(s, PL_MSG_HELLO, &msg) || msg.protocol != PL_PROTOCOL ||
	    !hear_kind(s, PL_MSG_NODE, &msg) || !msg.text[0])
		return false;
	while (hear_kind(s, PL_MSG_ADDR, &msg))
		if (msg.addr.family == AF_INET)
			s->addr = msg.addr;
	return msg.kind == PL_MSG_READY && s->addr.family == AF_INET;
}

static bool start(struct scene *s)
{
	return start_with(s, NULL);
}

/* Waits for its end; its exit status. */
static int reap(struct scene *s)
{
	int status = -1;

	alarm(PATIENCE_MS / 1000); /* should it not end */
	waitpid(s->agent.pid, &status, 0);
	alarm(0);
	close(s->agent.out);
	close(s->agent.err);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Closes the agent's input before that. */
static int finish(struct scene *s)
{
	close(s->agent.in);
	return reap(s);
}

/* Is it there? */
static bool pings(struct scene *s)
{
	const struct pl_msg ping = {.kind = PL_MSG_PING};
	struct pl_msg msg;

	tell(s, &ping);
	return hear_kind(s, PL_MSG_PONG, &msg);
}

static bool begin_run(struct scene *s)
{
	struct pl_msg msg = {.kind = PL_MSG_RUN, .run = 42, .self = 1, .n_flows = 1};

	for (size_t i = 0; i < sizeof(msg.key); i++)
		msg.key[i] = s->us.key[i] = (uint8_t)(i * 3);
	s->us.run = msg.run;
	msg.addr = s->addr;
	s->udp = pl_wire_bind(&s->addr, 0, 0, &s->port, NULL);
	if (s->udp < 0)
		return false;
	tell(s, &msg);
	if (!hear_kind(s, PL_MSG_BOUND, &msg))
		return false;
	s->agent_port = msg.port[0];
	pl_addr_socket(&s->addr, msg.port[0], &s->at);
	return true;
}

/* Until @n are answered, however long that takes us. The gap is short, so that no probe leaves
 * while another is open. */
static void tell_settings(struct scene *s, uint32_t n)
{
	const struct pl_msg msg = {
		.kind = PL_MSG_SETTINGS,
		.settings = {.probes_min = n,
			     .probes_max = 5000,
			     .gap_ns = PL_PROBER_GAP_NS - 1,
			     .pair_ns = 1,
			     .limit_ns = 600000 * MS,
			     .silence_ns = 600000 * MS},
	};

	tell(s, &msg);
}

static void begin_round(struct scene *s, uint16_t round)
{
	const struct pl_msg msg = {
		.kind = PL_MSG_ROUND,
		.round = round,
		.peer = 0,
		.packets_max = PL_PACKETS_LIMIT,
		.addr = s->addr,
		.port = {s->port},
		.n_ports = 1,
	};

	tell(s, &msg);
	pl_exchange_open(&s->us, round, 1, &s->at, 1);
}

/* The next authentic packet from the agent. */
static bool receive(struct scene *s, struct pl_packet *packet)
{
	struct pollfd p = {.fd = s->udp, .events = POLLIN};
	struct pl_arrival arrival;
	uint8_t data[64];

	while (poll(&p, 1, PATIENCE_MS) > 0) {
		const ssize_t len =
			pl_wire_receive(s->udp, &s->clock, data, sizeof(data), &arrival);

		if (len < 0)
			continue;
		if (pl_packet_parse(packet, data, (size_t)len, s->us.key))
			return ok(false, "the agent's packets are valid");
		if (packet->direction == PL_REQUEST)
			s->heard_seq = packet->seq;
		return true;
	}
	return false;
}

static void send_to(struct scene *s, const uint8_t packet[PL_PACKET_BYTES])
{
	pl_wire_send(s->udp, packet, PL_PACKET_BYTES, &s->at);
}

static void ask(struct scene *s, uint32_t seq)
{
	uint8_t data[PL_PACKET_BYTES];

	pl_exchange_request(&s->us, seq, data);
	send_to(s, data);
}

/* Sends a valid request, and says whether the next reply is to it: then nothing that was sent
 * before has been answered (packets keep their order here). */
static bool only_this_is_answered(struct scene *s, uint32_t seq)
{
	struct pl_packet packet;

	ask(s, seq);
	do {
		if (!receive(s, &packet))
			return false;
	} while (packet.direction != PL_REPLY);
	return packet.seq == seq;
}

static void test_strangers(struct scene *s)
{
	uint8_t data[PL_PACKET_BYTES + 1] = {0};
	const struct pl_packet never = {.seq = 5000};
	struct pl_arrival other;
	int port, fd = pl_wire_bind(&s->addr, 0, 0, &port, NULL);

	ok(only_this_is_answered(s, 1), "the peer is answered");
	ask(s, 1);
	ok(only_this_is_answered(s, 2), "a recorded request is not");
	pl_exchange_request(&s->us, 3, data);
	data[PL_PACKET_BYTES - 1] ^= 1;
	send_to(s, data);
	ok(only_this_is_answered(s, 4), "a forged one is not");
	pl_exchange_reply(&s->us, &never, 0, data);
	send_to(s, data);
	ok(only_this_is_answered(s, 5), "a reply to nothing is not");
	s->us.round = 6;
	ask(s, 6);
	s->us.round = 7;
	ok(only_this_is_answered(s, 7), "another round's request is not");
	pl_exchange_request(&s->us, 8, data);
	sendto(s->udp, data, PL_PACKET_BYTES - 1, 0, (void *)&s->at, sizeof(struct sockaddr_in));
	sendto(s->udp, data, PL_PACKET_BYTES + 1, 0, (void *)&s->at, sizeof(struct sockaddr_in));
	ok(only_this_is_answered(s, 9), "short and long ones are not");
	pl_exchange_request(&s->us, 10, data);
	pl_wire_send(fd, data, PL_PACKET_BYTES, &s->at);
	ok(only_this_is_answered(s, 11), "nor what a stranger sends");
	is_int(pl_wire_receive(fd, &s->clock, data, sizeof(data), &other), -1,
	       "neither to us nor to the stranger");
	close(fd);
}

/* Noise in batches that a socket's buffer holds, so that all is judged. */
static void test_noise(struct scene *s)
{
	uint8_t data[PL_PACKET_BYTES];
	bool alone = true;
	unsigned noise = 1;

	for (uint32_t batch = 0; batch < 200; batch++) {
		for (int i = 0; i < 50; i++) {
			for (size_t k = 0; k < sizeof(data); k++) {
				noise = noise * 1103515245 + 12345;
				data[k] = (uint8_t)(noise >> 16);
			}
			data[0] = PL_PACKET_VERSION;
			data[1] = i % 2 ? PL_REQUEST : PL_REPLY;
			send_to(s, data);
		}
		alone = alone && only_this_is_answered(s, 100 + batch);
	}
	ok(alone, "10000 packets of noise are not answered, the peer still is");
}

/* Waits for a request of the agent's after number @seq. */
static bool await_request(struct scene *s, uint32_t seq)
{
	struct pl_packet packet;

	while (receive(s, &packet))
		if (packet.direction == PL_REQUEST && packet.seq > seq)
			return true;
	return false;
}

/* Throws away what has arrived. */
static void drain(struct scene *s)
{
	struct pollfd p = {.fd = s->udp, .events = POLLIN};
	struct pl_packet packet;

	while (poll(&p, 1, 0) > 0)
		receive(s, &packet);
}

static void answer(struct scene *s, uint32_t seq)
{
	const struct pl_packet request = {.direction = PL_REQUEST, .seq = seq};
	uint8_t data[PL_PACKET_BYTES];

	pl_exchange_reply(&s->us, &request, 0, data);
	send_to(s, data);
}

/* The next request, which is answered; false when none comes. */
static bool answer_next(struct scene *s)
{
	if (!await_request(s, s->heard_seq))
		return false;
	answer(s, s->heard_seq);
	return true;
}

/* Four answers are wanted: the first comes once its probe was given up, as the next one is there;
 * the second comes twice; one probe gets none. How long we take for any of this is not for us to
 * say, so that others may be given up too: but then they are late, and further ones are sent.
 * Returns the first probe that counts. */
static uint32_t reply_to_some(struct scene *s)
{
	uint32_t first;
	bool all;

	/* what is asked for after this one was answered is no warm-up */
	all = await_request(s, s->heard_seq);
	answer(s, s->heard_seq);
	all = all && only_this_is_answered(s, 900);
	all = all && await_request(s, s->heard_seq);
	first = s->heard_seq;
	all = all && await_request(s, first);
	answer(s, first);
	answer(s, s->heard_seq);
	answer(s, s->heard_seq);
	answer(s, s->heard_seq + 100); /* never sent */
	all = all && await_request(s, s->heard_seq);
	all = all && answer_next(s) && answer_next(s);
	ok(all, "the agent goes on probing");
	return first;
}

static void test_replies(struct scene *s)
{
	const uint32_t first = reply_to_some(s);
	struct pl_msg msg;
	int64_t sent;

	ok(hear_kind(s, PL_MSG_RESULT, &msg) && msg.round == 7 && msg.peer == 0,
	   "and tells its result");
	ok(only_this_is_answered(s, 1000), "done, it still answers the peer");
	sent = (int64_t)msg.pair.sent;
	is_int((int64_t)msg.pair.packets, s->heard_seq + 1, "all were heard");
	ok(sent >= s->heard_seq + 1 - first && sent <= s->heard_seq + 1,
	   "all since the warm-up count (%d)", (int)sent);
	is_int((int64_t)msg.pair.answered, 4, "four answered");
	is_int((int64_t)msg.pair.lost, sent - 4, "the others lost");
	ok(msg.pair.late >= 1 && msg.pair.late <= 4, "at least one late (%d)", (int)msg.pair.late);
	is_int((int64_t)msg.pair.duplicate, 1, "one answered twice");
	/* recorded, forged, stranger's, two of a wrong length, two replies to what was never sent,
	 * the noise */
	is_int((int64_t)msg.refused, 10007, "all that was refused is counted");
}

static void test_end(struct scene *s)
{
	const struct pl_msg rest = {.kind = PL_MSG_REST, .round = 8};
	const struct pl_msg end = {.kind = PL_MSG_END};
	struct pl_packet packet;
	struct pl_msg msg;
	struct pollfd p = {.fd = s->udp, .events = POLLIN};

	tell(s, &rest);
	ok(pings(s), "is there while it rests");
	begin_round(s, 9); /* its first request shows that it has rested */
	ok(receive(s, &packet) && packet.round == 9, "the next round");
	s->us.round = 7;
	ask(s, 2000);
	s->us.round = 9;
	ok(only_this_is_answered(s, 0), "what is of an old round is dropped");
	tell(s, &end);
	while (hear(s, &msg) && msg.kind != PL_MSG_BYE)
		;
	ok(msg.kind == PL_MSG_BYE && msg.stale == 2,
	   "last words, with the early and the old one (%d)", (int)msg.stale);
	is_int((int64_t)msg.refused, 10007, "neither counts as refused");
	is_int(finish(s), 0, "it ends in peace");
	drain(s); /* what was under way */
	ask(s, 3000);
	ok(poll(&p, 1, 0) == 0, "and nobody answers any more");
}

static void test_run(void)
{
	struct pl_packet packet;
	struct scene s;

	if (!ok(start(&s), "an agent greets and offers its addresses"))
		return;
	ok(pings(&s), "says that it is there");
	if (!ok(begin_run(&s), "takes a run and binds a port"))
		return;
	tell_settings(&s, 4);
	begin_round(&s, 7);
	ok(receive(&s, &packet) && packet.direction == PL_REQUEST && packet.round == 7,
	   "probes in the round");
	ok(pings(&s), "is there while it probes");
	test_strangers(&s);
	test_noise(&s);
	test_replies(&s);
	test_end(&s);
	close(s.udp);
}

/* A line that is no command ends an agent, with a word. */
static void test_nonsense(void)
{
	static const char *const lines[] = {"hello\n", "ready\n", "round 1 0 9 127.0.0.1 9\n",
					    "run 00 00 1 1 127.0.0.1\n", "rest\n"};
	struct pl_msg msg;
	struct scene s;

	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		const ssize_t len = (ssize_t)strlen(lines[i]);

		if (!ok(start(&s), "an agent"))
			return;
		ok(write(s.agent.in, lines[i], (size_t)len) == len &&
			   hear_kind(&s, PL_MSG_ERROR, &msg) && msg.text[0],
		   "refuses: %.*s", (int)len - 1, lines[i]);
		is_int(finish(&s), 3, "and ends with status 3");
	}
}

static void test_endless_line(void)
{
	char x[4 * PL_LINE_CHARS];
	struct pl_msg msg;
	struct scene s;

	memset(x, 'x', sizeof(x));
	x[sizeof(x) - 1] = '\n';
	ok(start(&s) && write(s.agent.in, x, sizeof(x)) == sizeof(x), "a line without end");
	ok(hear_kind(&s, PL_MSG_ERROR, &msg), "is refused");
	has_str(msg.text, "too long", "as that");
	finish(&s);
	ok(start(&s), "an agent whose coordinator is gone");
	is_int(finish(&s), 0, "ends with its input");
}

/* Its input stays open, but nothing comes any more. */
static void test_alone(void)
{
	struct pl_packet packet;
	struct pollfd p = {.events = POLLIN};
	struct pl_msg msg;
	struct scene s;

	ok(start_with(&s, "--patience=3") && begin_run(&s), "an agent of little patience");
	p.fd = s.udp;
	tell_settings(&s, 5000);
	begin_round(&s, 3);
	ok(receive(&s, &packet) && packet.direction == PL_REQUEST, "is in a round");
	ok(hear_kind(&s, PL_MSG_ERROR, &msg), "hears nothing more, and ends");
	is_str(msg.text, "no word from the coordinator for 3 s", "says why");
	drain(&s); /* before it said so it had closed its sockets */
	ask(&s, 1);
	ok(poll(&p, 1, 0) == 0, "and answers nobody");
	is_int(reap(&s), 4, "its status is 4");
	close(s.agent.in);
	close(s.udp);
}

int main(void)
{
	signal(SIGPIPE, SIG_IGN);
	test_run();
	test_alone();
	test_nonsense();
	test_endless_line();
	return done_testing();
}
