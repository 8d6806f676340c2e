/* SPDX-License-Identifier: BSD-3-Clause */
/* bpf-tag.c - SipHash-2-4 in the kernel's classic packet filter */
#include "config.h"

#include "probes/agent/bpf.h"

#include <assert.h>

#define N_CELLS 16 /* BPF_MEMWORDS: all the memory that such a program has */
#define TAG_AT 24

/*
 * Aumasson and Bernstein, "SipHash: a fast short-input PRF" (2012), figure 2.1.
 * The filter knows numbers of 32 bits only, so that each of the four words of
 * state is two cells of its memory. A rotation by 32 swaps their names.
 */
struct word {
	unsigned low, high; /* cells */
};

struct hash {
	struct pl_bpf *c;
	struct word v[4];
	unsigned used; /* bit k: cell k */
};

static unsigned take_cell(struct hash *h)
{
	for (unsigned k = 0; k < N_CELLS; k++)
		if (!(h->used >> k & 1)) {
			h->used |= 1u << k;
			return k;
		}
	assert(!"a cell is free: eight words of state, four more at most");
	return 0;
}

static void free_cell(struct hash *h, unsigned cell)
{
	h->used &= ~(1u << cell);
}

static void load(const struct hash *h, unsigned cell)
{
	pl_bpf_put(h->c, BPF_LD | BPF_MEM, cell);
}

/* The second operand. */
static void load_other(const struct hash *h, unsigned cell)
{
	pl_bpf_put(h->c, BPF_LDX | BPF_MEM, cell);
}

static void store(const struct hash *h, unsigned cell)
{
	pl_bpf_put(h->c, BPF_ST, cell);
}

static void shift(const struct hash *h, uint16_t op, uint32_t bits)
{
	pl_bpf_put(h->c, (uint16_t)(BPF_ALU | BPF_K | op), bits);
}

static void with_other(const struct hash *h, uint16_t op)
{
	pl_bpf_put(h->c, (uint16_t)(BPF_ALU | BPF_X | op), 0);
}

/* a += b; the sum of the low halves has carried if it is below one of them. */
static void add(const struct hash *h, struct word a, struct word b)
{
	load_other(h, b.low);
	load(h, a.low);
	with_other(h, BPF_ADD);
	store(h, a.low);
	pl_bpf_put(h->c, BPF_JMP | BPF_JGE | BPF_X, 0);
	h->c->v[h->c->n - 1].jt = 3;
	load(h, a.high);
	shift(h, BPF_ADD, 1);
	pl_bpf_put(h->c, BPF_JMP | BPF_JA, 1);
	load(h, a.high);
	load_other(h, b.high);
	with_other(h, BPF_ADD);
	store(h, a.high);
}

/* to = (a << bits | b >> (32 - bits)) ^ x */
static void half(const struct hash *h, unsigned to, unsigned a, unsigned b, uint32_t bits,
		 unsigned x)
{
	load(h, b);
	shift(h, BPF_RSH, 32 - bits);
	pl_bpf_put(h->c, BPF_MISC | BPF_TAX, 0);
	load(h, a);
	shift(h, BPF_LSH, bits);
	with_other(h, BPF_OR);
	load_other(h, x);
	with_other(h, BPF_XOR);
	store(h, to);
}

/* *a = rotated(*a) ^ x, in cells of its own */
static void rotate(struct hash *h, struct word *a, uint32_t bits, struct word x)
{
	const struct word to = {take_cell(h), take_cell(h)};

	half(h, to.low, a->low, a->high, bits, x.low);
	half(h, to.high, a->high, a->low, bits, x.high);
	free_cell(h, a->low);
	free_cell(h, a->high);
	*a = to;
}

static void swap(struct word *a)
{
	*a = (struct word){.low = a->high, .high = a->low};
}

static void mix(struct hash *h, unsigned rounds)
{
	struct word *v = h->v;

	while (rounds-- > 0) {
		add(h, v[0], v[1]);
		rotate(h, &v[1], 13, v[0]);
		swap(&v[0]);
		add(h, v[2], v[3]);
		rotate(h, &v[3], 16, v[2]);
		add(h, v[0], v[3]);
		rotate(h, &v[3], 21, v[0]);
		add(h, v[2], v[1]);
		rotate(h, &v[1], 17, v[2]);
		swap(&v[2]);
	}
}

/* What is loaded, shifted and masked, is put to @to too. */
static void gather(const struct hash *h, unsigned from, unsigned to, uint16_t op, uint32_t bits,
		   uint32_t mask)
{
	load(h, from);
	shift(h, op, bits);
	shift(h, BPF_AND, mask);
	load_other(h, to);
	with_other(h, BPF_OR);
	store(h, to);
}

/* Loads 4 bytes of the packet, least significant one first. */
static void load_bytes(struct hash *h, uint32_t at)
{
	const unsigned given = take_cell(h), turned = take_cell(h);

	pl_bpf_load(h->c, BPF_W, at);
	store(h, given);
	shift(h, BPF_RSH, 24);
	store(h, turned);
	gather(h, given, turned, BPF_RSH, 8, 0xff00);
	gather(h, given, turned, BPF_LSH, 8, 0xff0000);
	gather(h, given, turned, BPF_LSH, 24, 0xff000000);
	free_cell(h, given);
	free_cell(h, turned);
}

/* cell ^= 4 bytes of the packet */
static void absorb(struct hash *h, unsigned cell, uint32_t at)
{
	load_bytes(h, at);
	load_other(h, cell);
	with_other(h, BPF_XOR);
	store(h, cell);
}

static void absorb_number(const struct hash *h, unsigned cell, uint32_t value)
{
	load(h, cell);
	shift(h, BPF_XOR, value);
	store(h, cell);
}

static void begin(struct hash *h, const uint8_t key[PL_PACKET_KEY_BYTES])
{
	static const char text[] = "uespemosmodnarodarenegylsetybdet";
	const uint8_t *constant = (const uint8_t *)text;

	for (unsigned k = 0; k < 8; k++) {
		uint32_t value = 0;

		for (unsigned i = 4; i-- > 0;)
			value = value << 8 |
				(uint32_t)(constant[4 * k + i] ^ key[(4 * k + i) % 16]);
		*(k % 2 ? &h->v[k / 2].high : &h->v[k / 2].low) = take_cell(h);
		pl_bpf_put(h->c, BPF_LD | BPF_IMM, value);
		store(h, k % 2 ? h->v[k / 2].high : h->v[k / 2].low);
	}
}

void pl_bpf_must_be_tagged(struct pl_bpf *c, const uint8_t key[PL_PACKET_KEY_BYTES])
{
	struct hash h = {.c = c};
	struct word *v = h.v;
	unsigned differ;

	begin(&h, key);
	for (uint32_t at = 0; at < TAG_AT; at += 8) {
		absorb(&h, v[3].low, at);
		absorb(&h, v[3].high, at + 4);
		mix(&h, 2);
		absorb(&h, v[0].low, at);
		absorb(&h, v[0].high, at + 4);
	}
	absorb_number(&h, v[3].high, (uint32_t)TAG_AT << 24);
	mix(&h, 2);
	absorb_number(&h, v[0].high, (uint32_t)TAG_AT << 24);
	absorb_number(&h, v[2].low, 0xff);
	mix(&h, 4);
	/* both halves before comparing, so that the time does not tell which
	 * one is right */
	differ = take_cell(&h);
	for (uint32_t at = 0; at < 8; at += 4) {
		load_bytes(&h, TAG_AT + at);
		for (unsigned k = 0; k < 4; k++) {
			load_other(&h, at ? v[k].high : v[k].low);
			with_other(&h, BPF_XOR);
		}
		if (at == 0)
			store(&h, differ);
	}
	load_other(&h, differ);
	with_other(&h, BPF_OR);
	pl_bpf_must_be(c, 0);
}
