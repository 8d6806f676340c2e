/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf.c - a program of the kernel's classic packet filter, being written */
#include "config.h"

#include "probes/agent/bpf.h"

#include <arpa/inet.h>
#include <assert.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <string.h>

#define IP4_SOURCE 12 /* where it stands in the header */
#define IP6_SOURCE 8

void pl_bpf_put(struct pl_bpf *c, uint16_t op, uint32_t k)
{
	assert(c->n < BPF_MAXINSNS);
	c->v[c->n++] = (struct sock_filter){.code = op, .k = k};
}

void pl_bpf_accept(struct pl_bpf *c)
{
	pl_bpf_put(c, BPF_RET | BPF_K, UINT32_MAX);
}

/* Ends the program: drops the packet. */
static void drop(struct pl_bpf *c)
{
	pl_bpf_put(c, BPF_RET | BPF_K, 0);
}

static void must(struct pl_bpf *c, uint16_t how, uint32_t value)
{
	pl_bpf_put(c, (uint16_t)(BPF_JMP | BPF_K | how), value);
	c->v[c->n - 1].jt = 1;
	drop(c);
}

void pl_bpf_must_be(struct pl_bpf *c, uint32_t value)
{
	must(c, BPF_JEQ, value);
}

void pl_bpf_must_reach(struct pl_bpf *c, uint32_t value)
{
	must(c, BPF_JGE, value);
}

void pl_bpf_must_be_below(struct pl_bpf *c, uint32_t value)
{
	pl_bpf_put(c, BPF_JMP | BPF_JGE | BPF_K, value);
	c->v[c->n - 1].jf = 1;
	drop(c);
}

void pl_bpf_load(struct pl_bpf *c, uint16_t size, uint32_t at)
{
	pl_bpf_put(c, (uint16_t)(BPF_LD | BPF_ABS | size), PL_BPF_UDP_BYTES + at);
}

void pl_bpf_must_come_from(struct pl_bpf *c, int family, const uint8_t *bytes)
{
	const bool is_v4 = family == AF_INET;
	uint32_t word;

	for (uint32_t i = 0; i < (is_v4 ? 4 : 16); i += 4) {
		memcpy(&word, bytes + i, sizeof(word));
		pl_bpf_put(c, BPF_LD | BPF_W | BPF_ABS,
			   (uint32_t)SKF_NET_OFF + (is_v4 ? IP4_SOURCE : IP6_SOURCE) + i);
		pl_bpf_must_be(c, ntohl(word));
	}
}

/* Passes where bit X, below 32, of @bits is set; @further on is what passed. */
static void must_have_bit(struct pl_bpf *c, uint32_t bits, uint8_t further)
{
	pl_bpf_put(c, BPF_MISC | BPF_TAX, 0);
	pl_bpf_put(c, BPF_LD | BPF_IMM, bits);
	pl_bpf_put(c, BPF_ALU | BPF_RSH | BPF_X, 0);
	pl_bpf_put(c, BPF_JMP | BPF_JSET | BPF_K, 1);
	c->v[c->n - 1].jt = further;
	drop(c);
}

#define BIT_STEPS 5 /* of must_have_bit */

/* Above @news->high, or one of those below. */
static void must_be_listed(struct pl_bpf *c, const struct pl_bpf_news *news)
{
	const unsigned short at = c->n;

	pl_bpf_put(c, BPF_JMP | BPF_JGT | BPF_K, news->high);
	pl_bpf_put(c, BPF_MISC | BPF_TAX, 0);
	pl_bpf_put(c, BPF_LD | BPF_IMM, news->high);
	pl_bpf_put(c, BPF_ALU | BPF_SUB | BPF_X, 0);
	pl_bpf_put(c, BPF_JMP | BPF_JGE | BPF_K, 32);
	c->v[c->n - 1].jt = BIT_STEPS;
	must_have_bit(c, (uint32_t)news->below, BIT_STEPS + 3);
	pl_bpf_put(c, BPF_JMP | BPF_JGE | BPF_K, 64);
	c->v[c->n - 1].jt = BIT_STEPS;
	pl_bpf_put(c, BPF_ALU | BPF_SUB | BPF_K, 32);
	must_have_bit(c, (uint32_t)(news->below >> 32), 1);
	c->v[at].jt = (uint8_t)(c->n - at - 1);
}

/* Loading a program takes longer the more steps it has. */
void pl_bpf_must_be_new(struct pl_bpf *c, const struct pl_bpf_news *given)
{
	struct pl_bpf_news news = *given;

	if (news.high < 63) /* there is nothing below number 0 */
		news.below &= (UINT64_C(2) << news.high) - 1;
	for (; news.below & 1; news.below >>= 1)
		if (news.high-- == 0)
			return;
	if (news.below)
		must_be_listed(c, &news);
	else
		must(c, BPF_JGT, news.high);
}
