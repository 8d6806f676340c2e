/* SPDX-License-Identifier: BSD-3-Clause */
/* filter.c - what cannot be ours is dropped by the kernel and wakes nobody */
#include "config.h"

#include "probes/agent/filter.h"

#include "probes/protocol/thesis-packet.h"

#include <arpa/inet.h>
#include <assert.h>
#include <linux/filter.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <stddef.h>
#include <string.h>

#define CODE_MAX 64
#define UDP_BYTES                                                              \
	8 /* a UDP socket's filter sees the packet from that header on */
#define THESIS_SEQ_BITS 20
#define THESIS_ROUND_MASK ((PL_THESIS_ROUNDS - 1u) << THESIS_SEQ_BITS)
#define THESIS_OTHER 5 /* instructions that judge what is of another round */
#define IP4_SOURCE 12
#define IP6_SOURCE 8

/* A program of the classic packet filter (linux/filter.h), being written. */
struct code {
	struct sock_filter v[CODE_MAX];
	unsigned short n;
};

static void put(struct code *c, uint16_t op, uint32_t k)
{
	assert(c->n < CODE_MAX);
	c->v[c->n++] = (struct sock_filter){.code = op, .k = k};
}

/* Ends the program: all of the packet, or nothing. */
static void accept_it(struct code *c)
{
	put(c, BPF_RET | BPF_K, UINT32_MAX);
}

static void drop_it(struct code *c)
{
	put(c, BPF_RET | BPF_K, 0);
}

/* Drops unless what was loaded is @value. */
static void must_be(struct code *c, uint32_t value)
{
	put(c, BPF_JMP | BPF_JEQ | BPF_K, value);
	c->v[c->n - 1].jt = 1;
	drop_it(c);
}

/* Loads 1, 2 or 4 bytes at @at of the packet proper, as one number. */
static void load(struct code *c, uint16_t size, uint32_t at)
{
	put(c, BPF_LD | size | BPF_ABS, UDP_BYTES + at);
}

static void must_come_from(struct code *c, const struct sockaddr_storage *addr)
{
	const struct sockaddr_in *v4 = (const struct sockaddr_in *)addr;
	const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)addr;
	const bool is_v4 = addr->ss_family == AF_INET;
	const uint8_t *bytes =
		is_v4 ? (const uint8_t *)&v4->sin_addr : v6->sin6_addr.s6_addr;
	uint32_t word;

	put(c, BPF_LD | BPF_H | BPF_ABS, 0);
	must_be(c, ntohs(is_v4 ? v4->sin_port : v6->sin6_port));
	for (uint32_t i = 0; i < (is_v4 ? 4 : 16); i += 4) {
		memcpy(&word, bytes + i, sizeof(word));
		put(c, BPF_LD | BPF_W | BPF_ABS,
		    (uint32_t)SKF_NET_OFF + (is_v4 ? IP4_SOURCE : IP6_SOURCE) +
			    i);
		must_be(c, ntohl(word));
	}
}

/* Of this run, and for this host. */
static void must_be_ours(struct code *c, const struct pl_exchange *x)
{
	put(c, BPF_LD | BPF_W | BPF_LEN, 0);
	must_be(c, UDP_BYTES + PL_PACKET_BYTES);
	load(c, BPF_B, 0);
	must_be(c, PL_PACKET_VERSION);
	load(c, BPF_W, 8);
	must_be(c, (uint32_t)(x->run >> 32));
	load(c, BPF_W, 12);
	must_be(c, (uint32_t)x->run);
	load(c, BPF_H, 18);
	must_be(c, x->self);
}

/* Ends the program for what is of another round. */
static void judge_other(struct code *c)
{
	load(c, BPF_B, 1);
	put(c, BPF_JMP | BPF_JEQ | BPF_K, PL_REPLY);
	c->v[c->n - 1].jt = 3;
	load(c, BPF_W, 4);
	put(c, BPF_JMP | BPF_JGE | BPF_K, PL_FILTER_EARLY);
	c->v[c->n - 1].jf = 1;
	drop_it(c);
	accept_it(c);
}

/* With the tag, and all else that a packet tells. */
static void write_code(struct code *c, const struct pl_exchange *x,
		       unsigned flow)
{
	unsigned short at;

	must_be_ours(c, x);
	if (x->open && flow < x->n_flows) {
		load(c, BPF_H, 2);
		at = c->n;
		put(c, BPF_JMP | BPF_JEQ | BPF_K, x->round);
		judge_other(c);
		c->v[at].jt = (uint8_t)(c->n - at - 1);
		load(c, BPF_H, 16);
		must_be(c, x->peer);
		must_come_from(c, &x->peer_addr[flow]);
		accept_it(c);
	} else {
		judge_other(c);
	}
}

/* The thesis' packet: of another round, the first requests. */
static void write_thesis(struct code *c, const struct pl_exchange *x,
			 unsigned flow)
{
	const uint32_t round = x->round % PL_THESIS_ROUNDS;

	put(c, BPF_LD | BPF_W | BPF_LEN, 0);
	must_be(c, UDP_BYTES + PL_THESIS_BYTES);
	if (x->open && flow < x->n_flows) {
		load(c, BPF_W, 0);
		put(c, BPF_ALU | BPF_RSH | BPF_K, THESIS_SEQ_BITS);
		put(c, BPF_ALU | BPF_AND | BPF_K, PL_THESIS_ROUNDS - 1);
		put(c, BPF_JMP | BPF_JEQ | BPF_K, round);
		c->v[c->n - 1].jt = THESIS_OTHER;
	}
	load(c, BPF_W, 0);
	put(c, BPF_ALU | BPF_AND | BPF_K, ~THESIS_ROUND_MASK);
	put(c, BPF_JMP | BPF_JGE | BPF_K, PL_FILTER_EARLY);
	c->v[c->n - 1].jf = 1;
	drop_it(c);
	accept_it(c);
	if (x->open && flow < x->n_flows) {
		must_come_from(c, &x->peer_addr[flow]);
		accept_it(c);
	}
}

void pl_filter_attach(int fd, const struct pl_exchange *x, unsigned flow)
{
	struct code code = {.n = 0};
	struct sock_fprog program;

	if (x->insecure)
		write_thesis(&code, x, flow);
	else
		write_code(&code, x, flow);
	program = (struct sock_fprog){.len = code.n, .filter = code.v};
	setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof(program));
}

uint32_t pl_filter_dropped(int fd)
{
	uint32_t v[SK_MEMINFO_VARS] = {0};
	socklen_t len = sizeof(v);

	if (getsockopt(fd, SOL_SOCKET, SO_MEMINFO, v, &len))
		return 0;
	return v[SK_MEMINFO_DROPS];
}
