/* SPDX-License-Identifier: BSD-3-Clause */
/* gloo-traffic.h - a rank of Gloo whose writes are counted, for C */
#ifndef PLINK_TESTS_COSTMODELS_GLOO_TRAFFIC_H
#define PLINK_TESTS_COSTMODELS_GLOO_TRAFFIC_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The kinds of messages of Gloo's TCP transport, as it numbers them. */
enum gloo_kind {
	GLOO_BUFFER,     /* into a registered buffer */
	GLOO_UNBOUND,    /* into a posted buffer */
	GLOO_SEND_READY, /* announcements of posted buffers */
	GLOO_RECV_READY,
	GLOO_N_KINDS
};

/* What one rank wrote to another, without headers. */
struct gloo_traffic {
	uint64_t messages[GLOO_N_KINDS], bytes[GLOO_N_KINDS];
};

/* One collective call. Elements are floats, or bytes where nothing is
 * reduced. */
struct gloo_case {
	const char *collective, *algorithm; /* plink's names */
	size_t base;                        /* bcube's */
	size_t elements, element_bytes;
	size_t segment_bytes; /* 0: Gloo's own */
	size_t root;
};

/*
 * Runs the cases as rank @rank of @size, which meets the others through files in @dir, an existing
 * empty folder. traffic[n_cases * size]: by case, then peer. 0, or -1 after printing the reason to
 * stderr.
 */
int gloo_run_rank(int rank, int size, const char *dir, const struct gloo_case *cases,
		  size_t n_cases, struct gloo_traffic *traffic);

#ifdef __cplusplus
}
#endif

#endif
