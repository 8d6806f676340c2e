/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.c - a filter by which the kernel drops packets that cannot be ours
 * without waking the agent */
#include "config.h"

#include "probes/agent/filter.h"

#include "probes/protocol/thesis-packet.h"

#include <arpa/inet.h>
#include <assert.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sodium.h>
#include <stddef.h>
#include <string.h>

#define THESIS_SEQ_BITS 20
#define THESIS_ROUND_MASK ((PL_THESIS_ROUNDS - 1u) << THESIS_SEQ_BITS)
#define THESIS_OTHER 5 /* instructions that judge what is of another round */

static void must_come_from(struct pl_bpf *c, const struct sockaddr_storage *addr)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)addr;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)addr;
	const bool is_v4 = addr->ss_family == AF_INET;

	pl_bpf_put(c, BPF_LD | BPF_H | BPF_ABS, 0);
	pl_bpf_must_be(c, ntohs(is_v4 ? v4->sin_port : v6->sin6_port));
	pl_bpf_must_come_from(c, addr->ss_family,
			      is_v4 ? (const uint8_t *)&v4->sin_addr : v6->sin6_addr.s6_addr);
}

/* Of this run, and for this host? */
static void must_be_ours(struct pl_bpf *c, const struct pl_probe_exchange *x)
{
	pl_bpf_put(c, BPF_LD | BPF_W | BPF_LEN, 0);
	pl_bpf_must_be(c, PL_BPF_UDP_BYTES + PL_PACKET_BYTES);
	pl_bpf_load(c, BPF_B, 0);
	pl_bpf_must_be(c, PL_PACKET_VERSION);
	pl_bpf_load(c, BPF_W, 8);
	pl_bpf_must_be(c, (uint32_t)(x->run >> 32));
	pl_bpf_load(c, BPF_W, 12);
	pl_bpf_must_be(c, (uint32_t)x->run);
	pl_bpf_load(c, BPF_H, 18);
	pl_bpf_must_be(c, x->self);
}

/* Ends the program for what is of another round. */
static void judge_other(struct pl_bpf *c)
{
	pl_bpf_load(c, BPF_B, 1);
	pl_bpf_put(c, BPF_JMP | BPF_JEQ | BPF_K, PL_REPLY);
	c->v[c->n - 1].jt = 3;
	pl_bpf_load(c, BPF_W, 4);
	pl_bpf_must_be_below(c, PL_FILTER_EARLY);
	pl_bpf_accept(c);
}

/* Checks all that a packet's words tell. */
static void write_words(struct pl_bpf *c, const struct pl_probe_exchange *x, unsigned flow)
{
	unsigned short at;

	must_be_ours(c, x);
	if (x->open && flow < x->n_flows) {
		pl_bpf_load(c, BPF_H, 2);
		at = c->n;
		pl_bpf_put(c, BPF_JMP | BPF_JEQ | BPF_K, x->round);
		judge_other(c);
		c->v[at].jt = (uint8_t)(c->n - at - 1);
		pl_bpf_load(c, BPF_H, 16);
		pl_bpf_must_be(c, x->peer);
		must_come_from(c, &x->peer_addr[flow]);
		pl_bpf_accept(c);
	} else {
		judge_other(c);
	}
}

/* An instruction that jumps to where land() is called. */
static unsigned short jump(struct pl_bpf *c)
{
	pl_bpf_put(c, BPF_JMP | BPF_JA, 0);
	return (unsigned short)(c->n - 1);
}

static void land(struct pl_bpf *c, unsigned short at)
{
	c->v[at].k = (uint32_t)(c->n - at - 1);
}

/* Neither a request that was answered nor a reply to one that has its reply, or
 * to none of ours. */
static void must_be_news(struct pl_bpf *c, const struct pl_probe_exchange *x,
			 const struct pl_bpf_news *replies)
{
	const struct pl_bpf_news requests = {x->seen_high, ~x->seen};
	unsigned short reply, end;

	pl_bpf_load(c, BPF_B, 1);
	reply = c->n;
	pl_bpf_put(c, BPF_JMP | BPF_JEQ | BPF_K, PL_REPLY);
	pl_bpf_must_be(c, PL_REQUEST);
	pl_bpf_load(c, BPF_W, 4);
	pl_bpf_must_be_new(c, &requests);
	end = jump(c);
	c->v[reply].jt = (uint8_t)(c->n - reply - 1);
	pl_bpf_load(c, BPF_W, 4);
	pl_bpf_must_be_new(c, replies);
	land(c, end);
}

/* Of those of the present round that, and nothing else is looked at: this is to
 * be loaded often. */
static void write_news(struct pl_bpf *c, const struct pl_probe_exchange *x,
		       const struct pl_bpf_news *replies)
{
	const struct pl_bpf_news requests = {x->seen_high, ~x->seen};
	const uint32_t word = (uint32_t)PL_PACKET_VERSION << 24 | x->round;
	unsigned short at;

	pl_bpf_load(c, BPF_W, 0);
	at = c->n;
	pl_bpf_put(c, BPF_JMP | BPF_JEQ | BPF_K, word | (uint32_t)PL_REQUEST << 16);
	c->v[at].jt = 2;
	pl_bpf_put(c, BPF_JMP | BPF_JEQ | BPF_K, word | (uint32_t)PL_REPLY << 16);
	pl_bpf_accept(c);
	pl_bpf_load(c, BPF_W, 4);
	pl_bpf_must_be_new(c, &requests);
	pl_bpf_accept(c);
	c->v[at + 1].jt = (uint8_t)(c->n - at - 2);
	pl_bpf_load(c, BPF_W, 4);
	pl_bpf_must_be_new(c, replies);
	pl_bpf_accept(c);
}

/* Lets the first requests of a later round pass. */
static void must_be_early(struct pl_bpf *c, const struct pl_probe_exchange *x)
{
	pl_bpf_load(c, BPF_B, 1);
	pl_bpf_must_be(c, PL_REQUEST);
	pl_bpf_load(c, BPF_H, 2);
	pl_bpf_must_reach(c, x->round + 1u);
	pl_bpf_load(c, BPF_W, 4);
	pl_bpf_must_be_below(c, PL_FILTER_EARLY);
}

/* Packets that their words do not rule out are checked by their tag. */
static void write_tags(struct pl_bpf *c, const struct pl_probe_exchange *x, unsigned flow,
		       const struct pl_bpf_news *replies)
{
	const bool is_open = x->open && flow < x->n_flows;
	unsigned short other = 0, tag = 0;

	must_be_ours(c, x);
	if (is_open) {
		pl_bpf_load(c, BPF_H, 2);
		pl_bpf_put(c, BPF_JMP | BPF_JEQ | BPF_K, x->round);
		c->v[c->n - 1].jt = 1;
		other = jump(c);
		pl_bpf_load(c, BPF_H, 16);
		pl_bpf_must_be(c, x->peer);
		must_come_from(c, &x->peer_addr[flow]);
		must_be_news(c, x, replies);
		tag = jump(c);
		land(c, other);
	}
	must_be_early(c, x);
	if (is_open)
		land(c, tag);
	pl_bpf_must_be_tagged(c, x->key);
	pl_bpf_accept(c);
}

/* The thesis' packet: of another round, the first requests. */
static void write_thesis(struct pl_bpf *c, const struct pl_probe_exchange *x, unsigned flow)
{
	const uint32_t round = x->round % PL_THESIS_ROUNDS;

	pl_bpf_put(c, BPF_LD | BPF_W | BPF_LEN, 0);
	pl_bpf_must_be(c, PL_BPF_UDP_BYTES + PL_THESIS_BYTES);
	if (x->open && flow < x->n_flows) {
		pl_bpf_load(c, BPF_W, 0);
		pl_bpf_put(c, BPF_ALU | BPF_RSH | BPF_K, THESIS_SEQ_BITS);
		pl_bpf_put(c, BPF_ALU | BPF_AND | BPF_K, PL_THESIS_ROUNDS - 1);
		pl_bpf_put(c, BPF_JMP | BPF_JEQ | BPF_K, round);
		c->v[c->n - 1].jt = THESIS_OTHER;
	}
	pl_bpf_load(c, BPF_W, 0);
	pl_bpf_put(c, BPF_ALU | BPF_AND | BPF_K, ~THESIS_ROUND_MASK);
	pl_bpf_must_be_below(c, PL_FILTER_EARLY);
	pl_bpf_accept(c);
	if (x->open && flow < x->n_flows) {
		must_come_from(c, &x->peer_addr[flow]);
		pl_bpf_accept(c);
	}
}

/* If the kernel has no room for the old and the new filter at once
 * (net.core.optmem_max), there is none for a moment. */
static bool attach(int fd, struct pl_bpf *code)
{
	const struct sock_fprog program = {.len = code->n, .filter = code->v};
	const int none = 0;

	if (!setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program)))
		return true;
	setsockopt(fd, SOL_SOCKET, SO_DETACH_FILTER, &none, sizeof(none));
	return !setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
}

void pl_filter_attach_run(int fd, const struct pl_probe_exchange *x)
{
	struct pl_bpf code;

	code.n = 0;
	must_be_ours(&code, x);
	pl_bpf_accept(&code);
	attach(fd, &code);
}

void pl_filter_attach(int fd, const struct pl_probe_exchange *x, unsigned flow)
{
	struct pl_bpf code;

	code.n = 0;
	if (x->insecure)
		write_thesis(&code, x, flow);
	else
		write_words(&code, x, flow);
	attach(fd, &code);
}

void pl_filter_attach_news(int fd, const struct pl_probe_exchange *x,
			   const struct pl_bpf_news *replies)
{
	struct pl_bpf code;

	code.n = 0;
	write_news(&code, x, replies);
	attach(fd, &code);
}

void pl_filter_attach_tags(int fd, const struct pl_probe_exchange *x, unsigned flow,
			   const struct pl_bpf_news *replies)
{
	struct pl_bpf code;

	code.n = 0;
	write_tags(&code, x, flow, replies);
	if (!attach(fd, &code))
		pl_filter_attach_run(fd, x);
	sodium_memzero(&code, sizeof(code)); /* the key is in it */
}

uint32_t pl_filter_dropped(int fd)
{
	uint32_t v[SK_MEMINFO_VARS] = {0};
	socklen_t len = sizeof(v);

	if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, v, &len))
		return 0;
	return v[SK_MEMINFO_DROPS];
}
