/* SPDX-License-Identifier: BSD-3-Clause */
/* comm.c - calls of a communicator, and collectives made of such calls */
#include "config.h"

#include "costmodels/comm.h"

#include "costmodels/kernels.h"

#include <limits.h>

bool pl_is_power_of_two(size_t n)
{
	return (n & (n - 1)) == 0;
}

unsigned pl_log2(size_t n)
{
	return 63 - (unsigned)__builtin_clzll(n);
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* ---- blocks of a buffer */

struct pl_blocks pl_blocks_even(const struct pl_call *call, size_t n)
{
	const uint64_t element = call->element_bytes, count = call->bytes / element;

	return (struct pl_blocks){call->bytes, element, n, count % n, count / n * element, 0};
}

struct pl_blocks pl_blocks_up(const struct pl_call *call, size_t n)
{
	const uint64_t element = call->element_bytes, count = call->bytes / element;
	const uint64_t step = count / n + (count % n != 0);

	return (struct pl_blocks){call->bytes, element, n, 0, step * element, 0};
}

struct pl_blocks pl_blocks_each(const struct pl_call *call, size_t n)
{
	return (struct pl_blocks){n * call->bytes, call->element_bytes, n, 0, call->bytes, 0};
}

struct pl_blocks pl_blocks_in_steps(uint64_t bytes, uint64_t step)
{
	const size_t n = bytes > 0 ? (size_t)((bytes - 1) / step) + 1 : 0;

	return (struct pl_blocks){bytes, 1, n, 0, step, 0};
}

struct pl_range pl_block_range(const struct pl_blocks *b, size_t first, size_t count)
{
	const uint64_t at = pl_block_at(b, first);

	return (struct pl_range){b->at + at, pl_block_at(b, first + count) - at};
}

uint64_t pl_block_bytes(const struct pl_blocks *b, size_t i)
{
	return pl_block_range(b, i, 1).bytes;
}

struct pl_range pl_block_range_round(const struct pl_blocks *b, size_t first, size_t count)
{
	struct pl_range range = pl_block_range(b, first %= b->n, count);

	if (first + count > b->n)
		range.bytes += pl_block_at(b, first + count - b->n);
	if (range.at == b->bytes)
		range.at = 0;
	return range;
}

/* ---- a communicator, and its ranks */

size_t pl_algorithm_radix(const struct pl_algorithm *a, const struct pl_call *call)
{
	return a->takes_radix && call->radix ? call->radix : a->radix;
}

static void write_rank(const struct pl_comm_call *c, const struct pl_algorithm *a, size_t i)
{
	const size_t n = c->call.n_pos;
	const size_t rank = i == c->swapped ? 0 : i == 0 ? c->swapped : i;
	const size_t root = pl_collective_has_root(a->collective) ? c->call.root : 0;
	const struct pl_rank r = {
		.a = a,
		.comm = c,
		.s = c->s,
		.n = n,
		.rank = rank,
		.root = root,
		.me = (rank + n - root) % n,
		.bytes = c->call.bytes,
		.element_bytes = c->call.element_bytes,
	};

	pl_script_rank(c->s, c->first + i * c->apart);
	a->kernel(&r);
}

int pl_comm_write_ranks(const struct pl_comm_call *c, const struct pl_algorithm *a,
			struct pl_err *err)
{
	const struct pl_algorithm *other = pl_algorithm_instead(a, &c->call);
	const size_t n_trees = a->plant ? 1 + a->two_trees : 0;
	struct pl_span_tree tree[2] = {{0}};
	struct pl_comm_call own = *c;
	int rc = 0;

	if (other != a)
		return pl_comm_write(c, other, err);
	own.tree = tree;
	pl_script_view(c->s, c->first, c->apart, c->swapped);
	for (size_t k = 0; !rc && k < n_trees; k++)
		rc = pl_span_tree_init(&tree[k], a->plant, c->call.n_pos, c->call.root,
				       a->two_trees ? k : pl_algorithm_radix(a, &c->call), err);
	for (size_t i = 0; !rc && i < c->call.n_pos && !pl_script_is_over(c->s); i++)
		write_rank(&own, a, i);
	pl_script_view(c->s, 0, 1, 0);
	for (size_t k = 0; k < 2; k++)
		pl_span_tree_fini(&tree[k]);
	return rc;
}

int pl_comm_write(const struct pl_comm_call *c, const struct pl_algorithm *a, struct pl_err *err)
{
	struct pl_comm_call own = *c;

	a = pl_algorithm_decide(a, &c->call, &own.call);
	if (a->check && a->check(&own.call, err))
		return -1;
	return a->whole ? a->whole(&own, a, err) : pl_comm_write_ranks(&own, a, err);
}

int pl_comm_append(const struct pl_comm_call *c, const struct pl_algorithm *a, struct pl_err *err)
{
	struct pl_script next;
	struct pl_comm_call own = *c;
	int rc;

	if (pl_script_init(&next, c->s->n_pos, err))
		return -1;
	own.s = &next;
	rc = pl_comm_write(&own, a, err);
	if (rc == 0)
		pl_script_append(c->s, &next);
	pl_script_fini(&next);
	return rc;
}

size_t pl_rank_behind(const struct pl_rank *r, size_t counted)
{
	return (counted + r->root) % r->n;
}

void pl_rank_wait_nth(const struct pl_rank *r, struct pl_request first, size_t i)
{
	pl_script_wait(r->s, (struct pl_request){first.is_send, first.index + i});
}

struct pl_request pl_rank_isend(const struct pl_rank *r, size_t dst, struct pl_range part,
				enum pl_taking taking)
{
	pl_script_data(r->s, part.at, taking);
	return pl_script_isend(r->s, dst, part.bytes);
}

struct pl_request pl_rank_irecv(const struct pl_rank *r, size_t src, struct pl_range part,
				enum pl_taking taking)
{
	pl_script_data(r->s, part.at, taking);
	return pl_script_irecv(r->s, src, part.bytes);
}

void pl_rank_send(const struct pl_rank *r, size_t dst, struct pl_range part, enum pl_taking taking)
{
	pl_script_wait(r->s, pl_rank_isend(r, dst, part, taking));
}

void pl_rank_recv(const struct pl_rank *r, size_t src, struct pl_range part, enum pl_taking taking)
{
	pl_script_wait(r->s, pl_rank_irecv(r, src, part, taking));
}

void pl_rank_swap(const struct pl_rank *r, size_t dst, size_t src, struct pl_range out,
		  struct pl_range in, enum pl_taking taking)
{
	const bool all = !(r->a->how & PL_LEAVES_EMPTY);
	const bool sends = all || out.bytes, receives = all || in.bytes;
	struct pl_request request = {0};

	pl_script_data(r->s, in.at, taking);
	pl_script_send_at(r->s, out.at);
	if (sends && receives && !(r->a->how & PL_SENDS_FIRST)) {
		pl_script_sendrecv(r->s, (struct pl_exchange){dst, src, out.bytes, in.bytes});
		return;
	}
	if (receives)
		request = pl_script_irecv(r->s, src, in.bytes);
	if (sends)
		pl_script_send(r->s, dst, out.bytes);
	if (receives)
		pl_script_wait(r->s, request);
}

void pl_rank_trade(const struct pl_rank *r, size_t peer, struct pl_range out, struct pl_range in,
		   enum pl_taking taking)
{
	pl_rank_swap(r, peer, peer, out, in, taking);
}

void pl_rank_shift(const struct pl_rank *r, size_t distance, struct pl_range out,
		   struct pl_range in, enum pl_taking taking)
{
	const size_t dst = r->rank + distance - (r->rank + distance < r->n ? 0 : r->n);
	const size_t src = r->rank - distance + (r->rank < distance ? r->n : 0);

	pl_rank_swap(r, dst, src, out, in, taking);
}

struct pl_blocks pl_rank_blocks(const struct pl_rank *r)
{
	if (pl_collective_is_by_block(r->a->collective))
		return pl_blocks_each(&r->comm->call, r->n);
	return r->a->how & PL_ROUNDS_UP ? pl_blocks_up(&r->comm->call, r->n)
					: pl_blocks_even(&r->comm->call, r->n);
}

enum pl_taking pl_rank_taking(const struct pl_rank *r, enum pl_taking taking)
{
	return r->a->how & PL_PLACES ? taking : PL_TAKES_NOTHING;
}

/* ---- collectives made of collectives */

size_t pl_call_hosts(const struct pl_call *call)
{
	return (call->n_pos + call->slots - 1) / call->slots;
}

static struct pl_call call_of(const struct pl_phase *phase, const struct pl_call *call, size_t n)
{
	return (struct pl_call){.n_pos = n,
				.bytes = phase->bytes ? phase->bytes : call->bytes,
				.element_bytes = call->element_bytes,
				.root = phase->root,
				.slots = 1};
}

static int write_hosts(struct pl_script *s, const struct pl_call *call,
		       const struct pl_phase *phase, struct pl_err *err)
{
	for (size_t host = 0; host < pl_call_hosts(call); host++) {
		const size_t first = host * call->slots;
		const size_t n = least(call->n_pos - first, call->slots);
		const struct pl_comm_call c = {s,
					       call_of(phase, call, n),
					       first,
					       1,
					       phase->swapped,
					       phase->in_place,
					       NULL,
					       NULL};

		if (n == 1 || phase->but_host == host + 1 ||
		    (phase->only_host && phase->only_host != host + 1))
			continue;
		if (pl_comm_write(&c, phase->a, err))
			return -1;
	}
	return 0;
}

static int write_phase(struct pl_script *s, const struct pl_call *call,
		       const struct pl_phase *phase, struct pl_err *err)
{
	const bool leaders = phase->level == PL_LEADERS;
	const size_t n = leaders ? pl_call_hosts(call) : call->n_pos;
	const struct pl_comm_call c = {s,
				       call_of(phase, call, n),
				       leaders ? phase->leader : 0,
				       leaders ? call->slots : 1,
				       phase->swapped,
				       phase->in_place,
				       NULL,
				       NULL};

	return phase->level == PL_HOSTS ? write_hosts(s, call, phase, err)
					: pl_comm_write(&c, phase->a, err);
}

int pl_phases_append(struct pl_script *s, const struct pl_call *call, const struct pl_phase *phase,
		     size_t n_phases, struct pl_err *err)
{
	int rc = 0;

	for (size_t i = 0; !rc && i < n_phases; i++) {
		struct pl_script next;

		if (pl_script_init(&next, call->n_pos, err))
			return -1;
		rc = write_phase(&next, call, &phase[i], err);
		if (rc == 0)
			pl_script_append(s, &next);
		pl_script_fini(&next);
	}
	return rc;
}

/* ---- folding */

struct pl_fold pl_fold(size_t n_ranks, enum pl_folding folding)
{
	struct pl_fold f = {
		.n = (size_t)1 << pl_log2(n_ranks),
		.apart = folding == PL_FIRST_STAY,
		.keeps = folding == PL_ODD_STAYS,
	};

	f.extra = n_ranks - f.n;
	f.from = folding == PL_LAST_PAIRS ? f.n - f.extra : 0;
	return f;
}

/* Is the rank one of those that pair up? */
static bool is_paired(const struct pl_fold *f, size_t rank)
{
	return !f->apart && rank >= f->from && rank < f->from + 2 * f->extra;
}

size_t pl_fold_partner(const struct pl_fold *f, size_t rank)
{
	if (is_paired(f, rank))
		return ((rank - f->from) ^ 1) + f->from;
	if (f->apart && rank >= f->n)
		return rank - f->n;
	return f->apart && rank < f->extra ? rank + f->n : SIZE_MAX;
}

size_t pl_fold_number(const struct pl_fold *f, size_t rank)
{
	if (is_paired(f, rank))
		return (rank - f->from) % 2 == f->keeps ? f->from + (rank - f->from) / 2 : SIZE_MAX;
	if (f->apart)
		return rank < f->n ? rank : SIZE_MAX;
	return rank < f->from ? rank : rank - f->extra;
}

size_t pl_fold_first(const struct pl_fold *f, size_t folded)
{
	if (f->apart || folded < f->from)
		return folded;
	return folded + least(folded - f->from, f->extra);
}

size_t pl_fold_rank(const struct pl_fold *f, size_t folded)
{
	const size_t first = pl_fold_first(f, folded);

	return first + (is_paired(f, first) ? f->keeps : 0);
}

void pl_fold_in(const struct pl_rank *r, const struct pl_fold *f)
{
	const size_t partner = pl_fold_partner(f, r->rank);

	if (partner == SIZE_MAX)
		return;
	if (pl_fold_number(f, r->rank) == SIZE_MAX) {
		pl_script_send(r->s, partner, r->bytes);
	} else {
		pl_script_recv(r->s, partner, r->bytes);
		pl_script_reduce(r->s, r->bytes);
	}
}

void pl_fold_out(const struct pl_rank *r, const struct pl_fold *f, uint32_t round)
{
	const size_t partner = pl_fold_partner(f, r->rank);

	pl_script_round(r->s, round);
	pl_script_data(r->s, 0, PL_STORES);
	if (partner == SIZE_MAX)
		return;
	if (pl_fold_number(f, r->rank) == SIZE_MAX)
		pl_script_recv(r->s, partner, r->bytes);
	else
		pl_script_send(r->s, partner, r->bytes);
}

/* ---- checks */

int pl_check_count(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (count <= INT_MAX)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements in one call: MPI counts them in an int, %d at most",
			  (unsigned long long)count, INT_MAX);
}

int pl_check_equal_blocks(const struct pl_call *call, struct pl_err *err)
{
	const uint64_t count = call->bytes / call->element_bytes;

	if (count % call->n_pos == 0)
		return pl_check_count(call, err);
	return pl_err_set(err, PL_EUSAGE,
			  "%llu elements do not make %zu equal blocks, which "
			  "MPI_Reduce_scatter_block needs",
			  (unsigned long long)count, call->n_pos);
}
