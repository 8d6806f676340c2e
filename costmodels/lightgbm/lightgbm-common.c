/* SPDX-License-Identifier: BSD-3-Clause */
/* lightgbm-common.c - LightGBM's blocks and exchanges */
#include "config.h"

#include "costmodels/lightgbm/algorithms.h"

struct pl_lightgbm_blocks pl_lightgbm_cut(const struct pl_call *call)
{
	const uint64_t count = call->bytes / call->element_bytes;
	const uint64_t step = count / call->n_pos + (count % call->n_pos != 0);

	return (struct pl_lightgbm_blocks){
		.n = call->n_pos,
		.total_bytes = call->bytes,
		.step_bytes = (step ? step : 1) * call->element_bytes,
	};
}

struct pl_lightgbm_blocks pl_lightgbm_equal(const struct pl_call *call)
{
	return (struct pl_lightgbm_blocks){
		.n = call->n_pos,
		.total_bytes = call->bytes * call->n_pos,
		.step_bytes = call->bytes,
	};
}

static uint64_t start_of(const struct pl_lightgbm_blocks *b, size_t i)
{
	const uint64_t at = i * b->step_bytes;

	return at < b->total_bytes ? at : b->total_bytes;
}

uint64_t pl_lightgbm_range(const struct pl_lightgbm_blocks *b, size_t first, size_t count)
{
	uint64_t bytes = 0;

	first %= b->n;
	if (first + count > b->n) {
		bytes = start_of(b, first + count - b->n);
		count = b->n - first;
	}
	return bytes + start_of(b, first + count) - start_of(b, first);
}

/* Where a range begins: one that only wraps to bytes, at the beginning. */
static uint64_t range_at(const struct pl_lightgbm_blocks *b, size_t first)
{
	const uint64_t at = start_of(b, first % b->n);

	return at < b->total_bytes ? at : 0;
}

uint64_t pl_lightgbm_exchange(struct pl_script *s, const struct pl_lightgbm_blocks *b,
			      const struct pl_lightgbm_swap *x)
{
	const struct pl_exchange bytes = {
		.dst = x->dst,
		.src = x->src,
		.send_bytes = pl_lightgbm_range(b, x->send_first, x->n_send),
		.recv_bytes = pl_lightgbm_range(b, x->recv_first, x->n_recv)};

	pl_script_data(s, range_at(b, x->recv_first), x->taking);
	pl_script_send_at(s, range_at(b, x->send_first));
	if (bytes.send_bytes && bytes.recv_bytes)
		pl_script_sendrecv(s, bytes);
	else if (bytes.send_bytes)
		pl_script_send(s, bytes.dst, bytes.send_bytes);
	else if (bytes.recv_bytes)
		pl_script_recv(s, bytes.src, bytes.recv_bytes);
	return bytes.recv_bytes;
}

int pl_lightgbm_check(uint64_t bytes, struct pl_err *err)
{
	if (bytes <= INT32_MAX)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "LightGBM counts bytes in an int32_t: a collective "
			  "of %llu bytes is too large",
			  (unsigned long long)bytes);
}

bool pl_lightgbm_power_of_two(size_t n)
{
	return (n & (n - 1)) == 0;
}
