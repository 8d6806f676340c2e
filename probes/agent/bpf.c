/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf.c - a program of the kernel's classic packet filter, being written */
#include "config.h"

#include "probes/agent/bpf.h"

#include <assert.h>

void pl_bpf_put(struct pl_bpf *c, uint16_t op, uint32_t k)
{
	assert(c->n < BPF_MAXINSNS);
	c->v[c->n++] = (struct sock_filter){.code = op, .k = k};
}

void pl_bpf_accept(struct pl_bpf *c)
{
	pl_bpf_put(c, BPF_RET | BPF_K, UINT32_MAX);
}

void pl_bpf_drop(struct pl_bpf *c)
{
	pl_bpf_put(c, BPF_RET | BPF_K, 0);
}

static void must(struct pl_bpf *c, uint16_t how, uint32_t value)
{
	pl_bpf_put(c, (uint16_t)(BPF_JMP | BPF_K | how), value);
	c->v[c->n - 1].jt = 1;
	pl_bpf_drop(c);
}

void pl_bpf_must_be(struct pl_bpf *c, uint32_t value)
{
	must(c, BPF_JEQ, value);
}

void pl_bpf_must_reach(struct pl_bpf *c, uint32_t value)
{
	must(c, BPF_JGE, value);
}

void pl_bpf_load(struct pl_bpf *c, uint16_t size, uint32_t at)
{
	pl_bpf_put(c, (uint16_t)(BPF_LD | BPF_ABS | size),
		   PL_BPF_UDP_BYTES + at);
}
