/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-norms.c - any bytes as a log of norms: noise within its bounds, or an error */
#include "config.h"

#include "planner/batch/noise.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const struct pl_noise_options o = {.warmup = 0, .weight = 0.5};
	struct pl_norms norms = {0};
	struct pl_noise noise;
	struct pl_err err = {0};
	struct pl_text text;

	if (pl_text_copy(&text, "fuzz", data, size, NULL))
		return 0;
	if (pl_norms_parse(&norms, &text, &err)) {
		if ((err.code != PL_EINPUT && err.code != PL_EPARTIAL) || norms.step)
			abort();
	} else if (pl_noise_of(&norms, &o, &noise, &err) || noise.gamma < 0 || noise.n != norms.n) {
		abort();
	}
	pl_norms_fini(&norms);
	pl_text_fini(&text);
	return 0;
}
