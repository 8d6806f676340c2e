/* SPDX-License-Identifier: BSD-3-Clause */
/* algorithms.h - the algorithms of this folder, for its table */
#ifndef PLINK_COSTMODELS_THESIS_ALGORITHMS_H
#define PLINK_COSTMODELS_THESIS_ALGORITHMS_H

#include "costmodels/algorithm.h"

int pl_thesis_ring(struct pl_script *s, const struct pl_call *call,
		   struct pl_err *err);
int pl_thesis_ring_shape(struct pl_shape *shape, const struct pl_call *call,
			 struct pl_err *err);
int pl_thesis_halving_doubling(struct pl_script *s, const struct pl_call *call,
			       struct pl_err *err);
int pl_thesis_halving_doubling_shape(struct pl_shape *shape,
				     const struct pl_call *call,
				     struct pl_err *err);
int pl_thesis_tree(struct pl_script *s, const struct pl_call *call,
		   struct pl_err *err);
int pl_thesis_tree_shape(struct pl_shape *shape, const struct pl_call *call,
			 struct pl_err *err);
int pl_thesis_bcube(struct pl_script *s, const struct pl_call *call,
		    struct pl_err *err);
int pl_thesis_bcube_shape(struct pl_shape *shape, const struct pl_call *call,
			  struct pl_err *err);
int pl_thesis_two_level(struct pl_script *s, const struct pl_call *call,
			struct pl_err *err);
int pl_thesis_two_level_shape(struct pl_shape *shape,
			      const struct pl_call *call, struct pl_err *err);

#endif
