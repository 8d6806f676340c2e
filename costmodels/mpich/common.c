/* SPDX-License-Identifier: BSD-3-Clause */
/* common.c - what several algorithms of MPICH have in common */
#include "config.h"

#include "costmodels/catalogue.h"
#include "costmodels/mpich/algorithms.h"
#include "costmodels/mpich/mpich.h"

#include <limits.h>

int pl_mpich_check_count(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (count <= INT_MAX)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements in one call: MPI counts them in an "
			  "int, %d at most",
			  (unsigned long long)count, INT_MAX);
}

int pl_mpich_check_bytes(const struct pl_call *call, struct pl_err *err)
{
	if (call->bytes <= INT_MAX)
		return pl_mpich_check_count(call, err);
	return pl_err_set(err, PL_EUSAGE,
			  "%llu bytes in one call: here MPICH 4.0 counts them "
			  "in an int, %d at most",
			  (unsigned long long)call->bytes, INT_MAX);
}

int pl_mpich_check_blocks(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (count % call->n_pos)
		return pl_err_set(err, PL_EUSAGE,
				  "%llu elements do not make %zu equal blocks, "
				  "which MPI_Reduce_scatter_block needs",
				  (unsigned long long)count, call->n_pos);
	return pl_mpich_check_count(call, err);
}

bool pl_mpich_power_of_two(size_t n)
{
	return (n & (n - 1)) == 0;
}

bool pl_mpich_is_parent(const struct pl_call *call)
{
	return call->slots > 1;
}

size_t pl_mpich_hosts(const struct pl_call *call)
{
	return (call->n_pos + call->slots - 1) / call->slots;
}

size_t pl_mpich_host(const struct pl_call *call, size_t pos)
{
	return pos / call->slots;
}

size_t pl_mpich_local(const struct pl_call *call, size_t pos)
{
	return pos % call->slots;
}

static size_t position(const struct pl_mpich_rank *r, size_t rank)
{
	return r->first + rank * r->stride;
}

void pl_mpich_send(const struct pl_mpich_rank *r, size_t dst, uint64_t bytes)
{
	pl_script_send(r->s, position(r, dst), bytes);
}

void pl_mpich_recv(const struct pl_mpich_rank *r, size_t src, uint64_t bytes)
{
	pl_script_recv(r->s, position(r, src), bytes);
}

void pl_mpich_sendrecv(const struct pl_mpich_rank *r, struct pl_exchange x)
{
	x.src = position(r, x.src);
	x.dst = position(r, x.dst);
	pl_script_sendrecv(r->s, x);
}

void pl_mpich_isend(const struct pl_mpich_rank *r, size_t dst, uint64_t bytes)
{
	pl_script_isend(r->s, position(r, dst), bytes);
}

void pl_mpich_irecv(const struct pl_mpich_rank *r, size_t src, uint64_t bytes)
{
	pl_script_irecv(r->s, position(r, src), bytes);
}

void pl_mpich_exchange(const struct pl_mpich_rank *r, struct pl_mpich_exchange x)
{
	pl_script_data(r->s, x.in.at, x.taking);
	pl_script_send_at(r->s, x.out.at);
	pl_mpich_sendrecv(r, (struct pl_exchange){x.dst, x.src, x.out.bytes, x.in.bytes});
}

/* Fills n, first, stride and rank. Is @pos one of the phase's ranks? */
static bool enter(struct pl_mpich_rank *r, const struct pl_mpich_phase *phase,
		  const struct pl_call *call, size_t pos)
{
	const size_t host = pl_mpich_host(call, pos);
	const size_t rest = call->n_pos - host * call->slots;

	switch (phase->level) {
	case PL_MPICH_ALL:
		r->n = call->n_pos;
		r->stride = 1;
		r->rank = pos;
		return true;
	case PL_MPICH_HOST:
		r->n = rest < call->slots ? rest : call->slots;
		r->first = host * call->slots;
		r->stride = 1;
		r->rank = pl_mpich_local(call, pos);
		return r->n > 1 && phase->but_host != host + 1 &&
		       (!phase->only_host || phase->only_host == host + 1);
	case PL_MPICH_LEADERS:
		break;
	}
	r->n = pl_mpich_hosts(call);
	r->stride = call->slots;
	r->rank = host;
	return pl_mpich_local(call, pos) == 0;
}

static void write_phase(struct pl_script *s, const struct pl_mpich_phase *phase,
			const struct pl_call *call)
{
	for (size_t pos = 0; pos < call->n_pos && !pl_script_is_over(s); pos++) {
		struct pl_mpich_rank r = {
			.s = s,
			.root = phase->root,
			.bytes = call->bytes,
			.element_bytes = call->element_bytes,
			.in_place = phase->in_place,
		};

		if (!enter(&r, phase, call, pos))
			continue;
		pl_script_rank(s, pos);
		phase->part(&r);
	}
}

int pl_mpich_phases(struct pl_script *s, const struct pl_call *call,
		    const struct pl_mpich_phase *phase, size_t n_phases, struct pl_err *err)
{
	for (size_t i = 0; call->n_pos > 1 && i < n_phases; i++) {
		struct pl_script next;

		if (pl_script_init(&next, call->n_pos, err))
			return -1;
		write_phase(&next, &phase[i], call);
		pl_script_append(s, &next);
		pl_script_fini(&next);
	}
	return 0;
}

int pl_mpich_flat(struct pl_script *s, const struct pl_call *call, pl_mpich_part *part,
		  struct pl_err *err)
{
	const struct pl_mpich_phase all = {.level = PL_MPICH_ALL, .part = part, .root = call->root};

	return pl_mpich_phases(s, call, &all, 1, err);
}

int pl_mpich_tree_shape(struct pl_shape *shape, enum pl_collective collective,
			const struct pl_call *call, struct pl_err *err)
{
	if (pl_algorithm_rounds(pl_catalogue_named(collective, PL_MPICH, "binomial"), call, shape,
				err))
		return -1;
	if (pl_mpich_is_parent(call))
		return 0;
	shape->kind = PL_LONGEST_PATH;
	shape->n_groups = shape->n_hops > 0;
	for (size_t i = 0; i < shape->n_hops; i++)
		shape->hop[i].group = 0;
	return 0;
}

void pl_mpich_weigh(struct pl_shape *shape)
{
	pl_shape_weigh(shape, PL_MPICH_EAGER_BYTES, PL_MPICH_TRIPS);
}
