/* SPDX-License-Identifier: BSD-3-Clause */
/* learn.c - models that verbs learn from measurements */
#include "config.h"

#include "src/spot/learn.h"

#include "base/text/number.h"

#include <math.h>
#include <string.h>

int spot_model_learn(struct spot_model *m, enum pl_regress_kind kind, const struct pl_samples *s,
		     const struct spot_learning *l, struct pl_err *err)
{
	struct pl_svr_options options = {.unscaled = l->unscaled};

	if (pl_regress_search(&options, &m->error, kind, s, l->n_folds, l->seed, err))
		return -1;
	return pl_regress_make(&m->fit, kind, s, &options, err);
}

int spot_take_values(double *v, size_t *n, const struct pl_option *option, const char *value,
		     struct pl_err *err)
{
	const char *s = value;

	for (*n = 0; *n < PL_FEATURES_MAX;) {
		const size_t len = strcspn(s, ",");
		double x = NAN;

		if (pl_double_parse(s, len, &x) || isnan(x))
			break;
		v[(*n)++] = x;
		if (!s[len])
			return 0;
		s += len + 1;
	}
	return pl_err_set(err, PL_EUSAGE, "--%s wants up to %d numbers with commas, not \"%s\"",
			  option->name, PL_FEATURES_MAX, value);
}
