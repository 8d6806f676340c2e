/* SPDX-License-Identifier: BSD-3-Clause */
/* pb-none.c - stands in for pseudo-boolean constraints if there is no Z3 */
#include "config.h"

#include "solver/proof/pb.h"

#include <assert.h>

bool pl_pb_built(void)
{
	return false;
}

struct pl_pb *pl_pb_create(struct pl_err *err)
{
	pl_err_set(err, PL_EUSAGE, "not built with Z3");
	return NULL;
}

void pl_pb_destroy(struct pl_pb *pb)
{
	assert(!pb);
	(void)pb;
}

int pl_pb_var(struct pl_pb *pb)
{
	(void)pb;
	return 0;
}

void pl_pb_any(struct pl_pb *pb, const int *lit, size_t n)
{
	(void)pb, (void)lit, (void)n;
}

void pl_pb_one(struct pl_pb *pb, const int *lit, size_t n)
{
	(void)pb, (void)lit, (void)n;
}

void pl_pb_at_most(struct pl_pb *pb, const int *lit, const int *weight, size_t n, int most)
{
	(void)pb, (void)lit, (void)weight, (void)n, (void)most;
}

int pl_pb_solve(struct pl_pb *pb, const struct pl_stop *stop, uint64_t *work,
		enum pl_pb_answer *answer, struct pl_err *err)
{
	(void)pb, (void)stop, (void)work, (void)answer;
	return pl_err_set(err, PL_EUSAGE, "not built with Z3");
}

bool pl_pb_true(struct pl_pb *pb, int var)
{
	(void)pb, (void)var;
	return false;
}
