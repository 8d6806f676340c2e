/* SPDX-License-Identifier: BSD-3-Clause */
/* pattern-steps.c - what a position of a pattern posts and waits for,
 * digested */
#include "config.h"

#include "tests/costmodels/pattern-steps.h"

#include "tests/costmodels/traffic-digest.h"

#include <stdlib.h>

/* number[step] of @pos: only steps in which something is posted count, those that wait a second
 * time or compute belong to the one before. */
static uint32_t *number_steps(const struct pl_pattern *p, size_t pos)
{
	uint32_t *number = calloc((size_t)p->n_steps[pos] + 1, sizeof(*number));
	uint32_t n = 0;

	if (!number)
		return NULL;
	for (size_t i = p->from[pos]; i < p->from[pos + 1]; i++)
		number[p->message[i].send_step] = 1;
	for (size_t i = p->into[pos]; i < p->into[pos + 1]; i++)
		number[p->message[p->received[i]].recv_step] = 1;
	for (size_t step = 0; step <= p->n_steps[pos]; step++) {
		n += number[step];
		number[step] = n > 0 ? n - 1 : 0;
	}
	return number;
}

uint64_t pattern_steps(const struct pl_pattern *p, size_t pos)
{
	uint32_t *number = number_steps(p, pos);
	uint64_t digest = 0;

	if (!number)
		return 0;
	for (size_t i = p->from[pos]; i < p->from[pos + 1]; i++) {
		const struct pl_message *m = &p->message[i];

		digest = traffic_digest(digest, m->dst, m->bytes);
		digest = traffic_digest(digest, number[m->send_step], number[m->sent_step]);
		digest = traffic_digest(digest, m->synchronous, 0);
	}
	for (size_t i = p->into[pos]; i < p->into[pos + 1]; i++) {
		const struct pl_message *m = &p->message[p->received[i]];

		digest = traffic_digest(digest, m->src, 0);
		digest = traffic_digest(digest, number[m->recv_step], number[m->received_step]);
	}
	free(number);
	return digest;
}

uint64_t pattern_posts(const struct pl_pattern *p, size_t pos)
{
	size_t n_recvs = p->into[pos];
	uint64_t digest = 0;

	for (size_t i = p->from[pos]; i < p->from[pos + 1]; i++) {
		const struct pl_message *m = &p->message[i];

		while (n_recvs < p->into[pos + 1] &&
		       p->message[p->received[n_recvs]].recv_step <= m->send_step)
			n_recvs++;
		digest = traffic_digest(digest, m->dst, m->bytes);
		digest = traffic_digest(digest, n_recvs - p->into[pos], m->synchronous);
	}
	n_recvs = p->into[pos + 1] - p->into[pos];
	return digest || n_recvs ? traffic_digest(digest, n_recvs, 0) : 0;
}
