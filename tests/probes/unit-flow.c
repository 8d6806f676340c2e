/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-flow.c - both ends of a flow, and strangers who would like to be one */
#include "config.h"

#include "base/clock.h"
#include "probes/bandwidth/flow.h"
#include "probes/bandwidth/tcp.h"
#include "tests/tap.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <signal.h>
#include <sodium.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define MB UINT64_C(1000000)
#define FLOW_BYTES (64 * MB) /* more than any socket holds */

/* Host 0 receives at 127.0.0.1, host 1 sends from 127.0.0.3. */
struct scene {
	struct pl_flow_run run[2];
	struct pl_flow flow[2];
	struct pl_msg ask, said[2]; /* said: what an end has told last */
	int n_said[2];
};

static struct pl_addr address(const char *text)
{
	struct pl_addr addr;

	pl_addr_parse(text, strlen(text), &addr);
	return addr;
}

static void init(struct scene *s, unsigned streams)
{
	memset(s, 0, sizeof(*s));
	for (uint16_t k = 0; k < 2; k++) {
		s->run[k] = (struct pl_flow_run){.run = 42, .self = k};
		memset(s->run[k].key, 7, sizeof(s->run[k].key));
	}
	s->run[0].addr = address("127.0.0.1");
	s->run[1].addr = address("127.0.0.3");
	s->ask = (struct pl_msg){
		.round = 9,
		.ask = {.n_streams = streams,
			.limit_ns = 10000 * MS,
			.bytes_max = FLOW_BYTES,
			.silence_ns = 20000 * MS},
		.n_ports = 1,
	};
}

static bool listens(struct scene *s)
{
	s->ask.kind = PL_MSG_RECEIVE;
	s->ask.peer = 1;
	s->ask.addr = s->run[1].addr;
	pl_flow_receive(&s->flow[0], &s->run[0], &s->ask, pl_clock_ns(), &s->said[0]);
	s->ask.port[0] = s->said[0].port[0];
	return s->said[0].kind == PL_MSG_LISTENING && s->ask.port[0] > 0;
}

static void sends(struct scene *s)
{
	s->ask.kind = PL_MSG_SEND;
	s->ask.peer = 0;
	s->ask.addr = s->run[0].addr;
	pl_flow_send(&s->flow[1], &s->run[1], &s->ask, pl_clock_ns());
}

static void step(struct scene *s, int k)
{
	struct pl_msg msg;

	if (!pl_flow_step(&s->flow[k], pl_clock_ns(), &msg))
		return;
	s->said[k] = msg;
	s->n_said[k]++;
}

/* As agents do: waits for events of either end, until both have told something more, or nothing is
 * left to be waited for. */
static void serve(struct scene *s)
{
	const int before[2] = {s->n_said[0], s->n_said[1]};
	struct pollfd fds[2 * PL_FLOW_FDS];

	while (s->n_said[0] == before[0] || s->n_said[1] == before[1]) {
		unsigned n = pl_flow_poll(&s->flow[0], fds);

		n += pl_flow_poll(&s->flow[1], fds + n);
		if (n == 0)
			return;
		poll(fds, n, 20);
		step(s, 0);
		step(s, 1);
	}
}

static bool has_joined(const struct scene *s, int k)
{
	return s->said[k].kind == PL_MSG_JOINED && !s->said[k].text[0] &&
	       s->flow[k].stage == PL_FLOW_WAITING;
}

static bool has_flowed(const struct scene *s, int k)
{
	return s->said[k].kind == PL_MSG_FLOWED && !s->said[k].text[0] &&
	       s->flow[k].stage == PL_FLOW_NONE;
}

static void end(struct scene *s)
{
	pl_flow_end(&s->flow[0]);
	pl_flow_end(&s->flow[1]);
}

static void test_bytes(unsigned streams, uint64_t bytes)
{
	struct scene s;

	init(&s, streams);
	s.ask.ask.bytes_max = bytes;
	ok(listens(&s), "%u streams, %u bytes: an end listens", streams, (unsigned)bytes);
	sends(&s);
	serve(&s);
	ok(has_joined(&s, 0) && has_joined(&s, 1), "both have joined");
	ok(s.flow[0].listener < 0, "and nothing listens any more");
	ok(pl_flow_go(&s.flow[0], 8, 0) == -1, "no go of another round");
	ok(pl_flow_go(&s.flow[1], 9, 0) == -1, "none to a sender");
	ok(!pl_flow_go(&s.flow[0], 9, pl_clock_ns()), "go");
	serve(&s);
	ok(has_flowed(&s, 0) && has_flowed(&s, 1), "it flows to its end");
	is_int((int64_t)s.said[0].flow.bytes, (int64_t)bytes, "all bytes arrive");
	is_int((int64_t)s.said[1].flow.bytes, (int64_t)bytes, "and no more were sent");
	ok(s.said[0].flow.bytes_per_s > 0, "there is a rate");
	is_int((int64_t)s.said[0].refused, 0, "nobody was refused");
	end(&s);
}

/* More bytes than there is time for; in the end the sender is told to stop. */
static void test_time(uint32_t settle_ppm)
{
	struct scene s;

	init(&s, 1);
	s.ask.ask.limit_ns = settle_ppm ? 20000 * MS : 2000 * MS;
	s.ask.ask.bytes_max = (uint64_t)PL_FLOW_BYTES_LIMIT;
	s.ask.ask.settle_ppm = settle_ppm;
	ok(listens(&s), "a flow of %s", settle_ppm ? "any length" : "2 s");
	sends(&s);
	serve(&s);
	pl_flow_go(&s.flow[0], 9, pl_clock_ns());
	serve(&s);
	ok(has_flowed(&s, 0) && has_flowed(&s, 1), "ends at both ends");
	is_int(s.said[0].flow.settled, settle_ppm > 0, "settled, or not");
	/* its time counts from when it was let go, not from its first byte */
	ok(s.said[0].flow.ns > 0, "it took time");
	end(&s);
}

static int knock(const struct scene *s, const char *from)
{
	const struct pl_addr us = address(from);

	return pl_tcp_connect(&us, 0, 0, &s->run[0].addr, s->ask.port[0], NULL);
}

/* Says @packet under @key from the peer's address. */
static int say(const struct scene *s, struct pl_packet packet, uint8_t key)
{
	uint8_t out[PL_PACKET_BYTES], keys[PL_PACKET_KEY_BYTES];
	const int fd = knock(s, "127.0.0.3");
	struct pollfd p = {.fd = fd, .events = POLLOUT};

	memset(keys, key, sizeof(keys));
	pl_packet_format(out, &packet, keys);
	if (poll(&p, 1, 20000) != 1 || send(fd, out, sizeof(out), MSG_NOSIGNAL) != sizeof(out))
		ok(false, "the peer's address is let in");
	return fd;
}

/* From another address: out at once. From the right one, without the right words: out again,
 * without an answer. */
static void test_strangers(void)
{
	const struct pl_packet join = {.direction = PL_JOIN, .round = 9, .run = 42, .src = 1};
	struct pl_packet wrong[7];
	struct scene s;
	int fd[7], stranger, silent, answered = 0;
	uint8_t byte;

	init(&s, 1);
	ok(listens(&s), "an end listens");
	stranger = knock(&s, "127.0.0.2");
	silent = knock(&s, "127.0.0.3");
	for (size_t k = 0; k < 7; k++)
		wrong[k] = join;
	wrong[1].round = 8;
	wrong[2].run = 43;
	wrong[3].src = 2;
	wrong[4].dst = 1;
	wrong[5].seq = 1;
	wrong[6].direction = PL_GO;
	for (size_t k = 0; k < 7; k++)
		fd[k] = say(&s, wrong[k], k == 0 ? 8 : 7);
	while (s.flow[0].refused < 8)
		step(&s, 0);
	for (size_t k = 0; k < 7; k++) {
		answered += recv(fd[k], &byte, 1, 0) > 0;
		close(fd[k]);
	}
	is_int(answered, 0, "seven wrong ones get no answer");
	ok(s.flow[0].stage == PL_FLOW_JOINING, "the right one is awaited");
	sends(&s);
	serve(&s);
	ok(has_joined(&s, 0) && has_joined(&s, 1), "and gets in");
	ok(recv(stranger, &byte, 1, 0) < 0 && errno == ECONNRESET,
	   "a stranger's address is sent away");
	ok(recv(silent, &byte, 1, 0) <= 0, "who says nothing hears nothing");
	pl_flow_go(&s.flow[0], 9, pl_clock_ns());
	serve(&s);
	ok(has_flowed(&s, 0), "the flow is as if they had not been there");
	is_int((int64_t)s.said[0].flow.bytes, FLOW_BYTES, "to the byte");
	is_int((int64_t)s.said[0].refused, 8, "they are counted");
	close(stranger);
	close(silent);
	end(&s);
}

/* Many who say nothing: they are let in, in place of one another, do not keep us awake, and do not
 * keep the peer out. */
static void test_crowd(void)
{
	enum { CROWD = PL_FLOW_GUESTS + 8 };
	struct pollfd fds[PL_FLOW_FDS];
	int fd[CROWD];
	struct scene s;

	init(&s, 1);
	ok(listens(&s), "an end listens");
	for (size_t k = 0; k < CROWD; k++)
		fd[k] = knock(&s, "127.0.0.3");
	while (s.flow[0].refused < CROWD - PL_FLOW_GUESTS)
		step(&s, 0);
	is_int(poll(fds, pl_flow_poll(&s.flow[0], fds), 100), 0, "a full house sleeps");
	sends(&s);
	serve(&s);
	ok(has_joined(&s, 0) && has_joined(&s, 1), "the peer gets in");
	is_int((int64_t)s.flow[0].refused, CROWD - PL_FLOW_GUESTS + 1,
	       "in place of one, all others for one another");
	for (size_t k = 0; k < CROWD; k++)
		close(fd[k]);
	end(&s);
}

/* Strangers who come and come, faster than one at a time: the peer does not wait behind them, and
 * its bytes all arrive. */
static void test_flood(void)
{
	struct scene s;
	pid_t flood;

	init(&s, 16);
	ok(listens(&s), "an end listens");
	flood = fork();
	while (flood == 0)
		close(knock(&s, "127.0.0.2"));
	while (s.flow[0].refused < 1000)
		step(&s, 0);
	for (size_t k = 0; k < PL_FLOW_GUESTS; k++)
		if (s.flow[0].guest[k].fd >= 0)
			ok(false, "a stranger has a guest's place");
	sends(&s);
	serve(&s);
	ok(has_joined(&s, 0) && has_joined(&s, 1), "a flood: the peer gets in");
	pl_flow_go(&s.flow[0], 9, pl_clock_ns());
	serve(&s);
	ok(has_flowed(&s, 0) && s.said[0].flow.bytes == FLOW_BYTES, "and all its bytes flow");
	kill(flood, SIGKILL);
	waitpid(flood, NULL, 0);
	end(&s);
}

/* Who knows no key is sent nothing. */
static void test_false_receiver(void)
{
	const struct pl_addr here = address("127.0.0.1");
	const struct pl_addr peer = address("127.0.0.3");
	uint64_t refused = 0;
	uint8_t nonsense[PL_PACKET_BYTES] = {PL_PACKET_VERSION, PL_GO};
	struct scene s;
	struct pollfd p;
	int port, fd;
	const int listener = pl_tcp_listen(&here, 0, 0, &port, NULL);

	init(&s, 1);
	s.ask.port[0] = port;
	sends(&s);
	p = (struct pollfd){.fd = listener, .events = POLLIN};
	poll(&p, 1, 20000);
	fd = pl_tcp_accept(listener, &peer, &refused);
	while (s.n_said[1] == 0)
		step(&s, 1);
	ok(has_joined(&s, 1), "a sender has joined something");
	if (send(fd, nonsense, sizeof(nonsense), MSG_NOSIGNAL) < 0)
		ok(false, "it hears");
	while (s.n_said[1] == 1)
		step(&s, 1);
	ok(s.said[1].kind == PL_MSG_FLOWED && s.said[1].text[0] && s.said[1].flow.bytes == 0,
	   "which is not what it should be: no byte is sent (%s)", s.said[1].text);
	close(fd);
	close(listener);
	end(&s);
}

static void test_failures(void)
{
	struct scene s;

	init(&s, 1);
	listens(&s);
	pl_flow_end(&s.flow[0]); /* so that the port is nobody's */
	sends(&s);
	while (s.n_said[1] == 0)
		step(&s, 1);
	ok(s.said[1].kind == PL_MSG_JOINED && s.flow[1].stage == PL_FLOW_NONE,
	   "nobody listens: it has not joined");
	has_str(s.said[1].text, "refused", "and says why");

	init(&s, 2);
	s.ask.ask.silence_ns = 30 * MS;
	listens(&s);
	while (s.n_said[0] == 0)
		step(&s, 0);
	is_str(s.said[0].text, "0 of 2 TCP connections came within 0.03 s",
	       "nobody comes: that is said");

	init(&s, 1);
	s.ask.ask.bytes_max = (uint64_t)PL_FLOW_BYTES_LIMIT;
	listens(&s);
	sends(&s);
	serve(&s);
	pl_flow_go(&s.flow[0], 9, pl_clock_ns());
	while (s.flow[0].meter.bytes < MB) {
		step(&s, 1);
		step(&s, 0);
	}
	pl_flow_end(&s.flow[1]);
	while (s.n_said[0] == 1)
		step(&s, 0);
	ok(s.said[0].kind == PL_MSG_FLOWED, "a sender dies");
	has_str(s.said[0].text, "broke off", "that is said");

	init(&s, 1);
	s.run[0].ports = (struct pl_ports){.min = 1, .max = 1};
	s.run[0].addr = address("127.0.0.9");
	listens(&s);
	if (s.said[0].kind == PL_MSG_JOINED)
		has_str(s.said[0].text, "TCP ports 1-1", "a port it may not");
	else
		is_int(s.said[0].port[0], 1, "the one port that it may");
	end(&s);
}

int main(void)
{
	if (sodium_init() < 0)
		return 1;
	alarm(120);          /* a flow without end fails instead of hanging */
	test_bytes(1, 1000); /* all of them come at once */
	test_bytes(1, FLOW_BYTES);
	test_bytes(16, FLOW_BYTES);
	test_time(0);
	test_time(PL_FLOW_MILLION);
	test_strangers();
	test_crowd();
	test_flood();
	test_false_receiver();
	test_failures();
	return done_testing();
}
