/* SPDX-License-Identifier: BSD-3-Clause */
/* patterns.c - a digest of every algorithm's pattern and objective, or of what it says when it
 * refuses: 1 to 40 (or as many as it is told) positions, sizes, roots, radices, segments and ranks
 * on a host */
#include "config.h"

#include "costmodels/catalogue.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define POS_MAX 40
#define FEW_POS 5
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static const struct {
	uint64_t bytes, element_bytes, segment_bytes;
} sizes[] = {
	{0, 4, 0},
	{8, 4, 0},
	{100, 4, 0},
	{3000, 12, 0},
	{65536, 4, 0},
	{(uint64_t)1 << 20, 4, 0},
	{(uint64_t)10 << 20, 8, 0},
	/* what no int counts; few positions only, and none of thesis, which counts in none */
	{(uint64_t)1 << 31, 4, 0},
	{(uint64_t)1 << 33, 4, 0},
	/* of algorithms in segments only */
	{3000, 12, 100},
	{65536, 4, 4000},
	{(uint64_t)10 << 20, 8, 100004},
};

/* FNV-1a of one number */
static void digest(uint64_t *d, uint64_t v)
{
	for (int i = 0; i < 8; i++)
		*d = (*d ^ ((v >> (8 * i)) & 255)) * 1099511628211U;
}

static void digest_double(uint64_t *d, double v)
{
	uint64_t bits;

	memcpy(&bits, &v, sizeof(bits));
	digest(d, bits);
}

static void digest_refusal(uint64_t *d, const struct pl_err *err)
{
	for (const char *c = err->text; *c; c++)
		digest(d, (unsigned char)*c);
}

/* No bytes have no place. */
static void digest_message(uint64_t *d, const struct pl_message *m)
{
	const uint64_t field[] = {m->bytes,         m->bytes ? m->at : 0,
				  m->src,           m->dst,
				  m->round,         m->send_step,
				  m->sent_step,     m->recv_step,
				  m->received_step, m->taking,
				  m->synchronous,   m->tag};

	for (size_t i = 0; i < COUNT(field); i++)
		digest(d, field[i]);
}

/* Work on no bytes is none. */
static void digest_work(uint64_t *d, const struct pl_work *w)
{
	if (!w->reduce_bytes && !w->copy_bytes && w->compute_s == 0)
		return;
	digest(d, w->pos);
	digest(d, w->step);
	digest(d, w->reduce_bytes);
	digest(d, w->copy_bytes);
	digest_double(d, w->compute_s);
}

static void digest_lists(uint64_t *d, const struct pl_pattern *p)
{
	const uint64_t field[] = {p->n_pos,        p->n_rounds, p->window,
				  p->n_strands, /* of messages, if there are any: */
				  p->buffer_bytes, p->gathered};

	for (size_t i = 0; i < COUNT(field) - (p->n_messages ? 0 : 2); i++)
		digest(d, field[i]);
	for (size_t i = 0; i < p->n_messages; i++)
		digest(d, p->received[i]);
	for (size_t i = 0; i < p->n_pos; i++)
		digest(d, p->n_steps[i]);
	for (size_t i = 0; i < p->n_work; i++)
		digest_work(d, &p->work[i]);
	for (size_t i = 0; i < p->n_strands; i++) {
		digest(d, p->strand[i].pos);
		digest(d, p->strand[i].first_step);
		digest(d, p->strand[i].held);
	}
}

static void digest_pattern(uint64_t *d, const struct pl_algorithm *a, const struct pl_call *call)
{
	struct pl_err err = {0};
	struct pl_pattern p;

	if (pl_algorithm_pattern(a, call, &p, &err)) {
		digest_refusal(d, &err);
		return;
	}
	for (size_t i = 0; i < p.n_messages; i++)
		digest_message(d, &p.message[i]);
	digest_lists(d, &p);
	pl_pattern_fini(&p);
}

/* Hops have no order of their own. */
static int by_place(const void *a, const void *b)
{
	const struct pl_hop *x = a, *y = b;
	const double field[][2] = {{x->group, y->group},
				   {x->src, y->src},
				   {x->dst, y->dst},
				   {x->times, y->times},
				   {x->bytes, y->bytes}};

	for (size_t i = 0; i < COUNT(field); i++)
		if (field[i][0] != field[i][1])
			return field[i][0] < field[i][1] ? -1 : 1;
	return 0;
}

static void digest_shape(uint64_t *d, const struct pl_algorithm *a, const struct pl_call *call)
{
	struct pl_err err = {0};
	struct pl_shape shape;

	if (pl_algorithm_shape(a, call, &shape, &err)) {
		digest_refusal(d, &err);
		return;
	}
	digest(d, shape.kind);
	digest(d, shape.n_pos);
	digest(d, shape.n_groups);
	if (shape.n_hops > 0)
		qsort(shape.hop, shape.n_hops, sizeof(*shape.hop), by_place);
	for (size_t i = 0; i < shape.n_hops; i++) {
		digest(d, shape.hop[i].src);
		digest(d, shape.hop[i].dst);
		digest(d, shape.hop[i].group);
		digest_double(d, shape.hop[i].times);
		digest_double(d, shape.hop[i].bytes);
	}
	pl_shape_fini(&shape);
}

/* A line: for each size the digests of pattern and objective. */
static void print_calls(const struct pl_algorithm *a, struct pl_call call)
{
	const size_t n_sizes = a->collective == PL_BARRIER ? 2 : COUNT(sizes);

	printf("%s %s %s n=%zu radix=%zu root=%zu slots=%zu han=%d ranks=%zu:",
	       pl_collective_name(a->collective), pl_impl_name(a->impl), a->name, call.n_pos,
	       call.radix, call.root, call.slots, call.han, call.n_ranks);
	for (size_t i = 0; i < n_sizes; i++) {
		uint64_t pattern = 14695981039346656037U, shape = pattern;

		if ((sizes[i].segment_bytes && !a->takes_segment) ||
		    (sizes[i].bytes > INT32_MAX && (call.n_pos > FEW_POS || a->impl == PL_THESIS)))
			continue;
		call.bytes = sizes[i].bytes;
		call.element_bytes = sizes[i].element_bytes;
		call.segment_bytes = sizes[i].segment_bytes;
		if (a->collective == PL_REDUCE_SCATTER)
			call.bytes -= call.bytes % (call.n_pos * call.element_bytes);
		digest_pattern(&pattern, a, &call);
		digest_shape(&shape, a, &call);
		printf(" %08" PRIx32 "/%08" PRIx32, (uint32_t)(pattern ^ pattern >> 32),
		       (uint32_t)(shape ^ shape >> 32));
	}
	printf("\n");
}

/* All of them, one at a time changed from what is usual. */
static void print_all(const struct pl_algorithm *a, size_t n)
{
	const bool by_host = a->for_slots || a->impl == PL_MPICH || a->impl == PL_NCCL;
	struct pl_call usual = {.n_pos = n, .slots = a->for_slots && n > 2 ? 2 : 1}, call = usual;

	print_calls(a, usual);
	for (call.radix = 2; a->takes_radix && call.radix <= 4; call.radix++)
		print_calls(a, call);
	for (call = usual, call.slots = 2; by_host && call.slots <= 3 && call.slots < n;
	     call.slots++)
		for (call.root = 0; call.root < n; call.root += n / 3 + 1)
			if (call.root == 0 || pl_collective_has_root(a->collective))
				print_calls(a, call);
	call = usual;
	call.root = n / 3;
	if (call.root > 0 && pl_collective_has_root(a->collective))
		print_calls(a, call);
	call = usual;
	call.han = true;
	for (call.slots = 2;
	     a->decide && a->impl == PL_OPENMPI && call.slots <= 3 && call.slots < n; call.slots++)
		print_calls(a, call);
	call = usual;
	call.n_ranks = 2 * n + 1;
	if (a->impl == PL_NCCL)
		print_calls(a, call);
}

int main(int argc, char **argv)
{
	const size_t most = argc > 1 ? strtoul(argv[1], NULL, 10) : POS_MAX;
	const struct pl_algorithm *a;

	for (size_t i = 0; (a = pl_catalogue_entry(i)); i++)
		for (size_t n = 1; n <= most; n++)
			print_all(a, n);
	return 0;
}
