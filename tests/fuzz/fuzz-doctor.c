/* SPDX-License-Identifier: BSD-3-Clause */
/* fuzz-doctor.c - any bytes as what hosts say when they are asked: taken in, judged */
#include "config.h"

#include "src/doctor/judge.h"
#include "src/doctor/show.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define N 3
#define LINE_CHARS 512

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A line as the asker has it: without zeros, of no more than so many bytes. */
static void hear(struct pl_doctor_facts *f, const uint8_t *data, size_t len)
{
	struct pl_doctor_span clock;
	char line[LINE_CHARS];

	len = len < sizeof(line) ? len : sizeof(line) - 1;
	for (size_t i = 0; i < len; i++)
		line[i] = data[i] ? (char)data[i] : '?';
	line[len] = '\0';
	if (pl_doctor_hear(f, line, &clock) == PL_DOCTOR_CLOCK) {
		if (clock.lo_ns < 0 || clock.hi_ns <= clock.lo_ns)
			abort();
		pl_doctor_read_clock(f, clock, (struct pl_doctor_span){1000, 2000});
	}
	f->whole |= strstr(line, PL_DOCTOR_MARK "end") != NULL;
}

static void check(const struct pl_doctor_verdict *verdict)
{
	for (size_t i = 0; i < verdict->n; i++) {
		const struct pl_doctor_finding *f = &verdict->v[i];

		if (f->host >= N && f->host < PL_DOCTOR_ALL)
			abort();
		if (!f->what[0] || !f->remedy[0])
			abort();
		if (i > 0 && f->host == f[-1].host && f->subject == f[-1].subject)
			abort();
	}
	for (int k = 0; k < PL_DOCTOR_SUBJECTS; k++)
		if (verdict->well[k] > verdict->judged[k] || verdict->judged[k] > N)
			abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct pl_doctor_facts v[N] = {{.name = "a", .fault = "hangs"},
				       {.name = "b", .fault = "hangs"},
				       {.name = "c", .fault = "hangs"}};
	struct pl_doctor_facts here = {.name = "here"};
	struct pl_doctor_pair pair[] = {{0, 1, {{size % 2, ""}, {size % 5, ""}}},
					{1, 2, {{size % 3, "no reply"}, {size % 7, "closed"}}}};
	struct pl_doctor_ring ring = {.v = pair, .n = 2};
	const struct pl_doctor_seen seen = {
		.v = v, .n = N, .here = &here, .ring = &ring, .version = "0.1", .launch = "ssh %h"};
	struct pl_doctor_verdict verdict = {0};
	struct pl_err err = {0};
	char *text = NULL;
	size_t len, k = 0;
	FILE *to = open_memstream(&text, &len);

	for (const uint8_t *end = data + size; to && data < end; k++) {
		const uint8_t *nl = memchr(data, '\n', (size_t)(end - data));
		const size_t n = (size_t)((nl ? nl : end) - data);

		hear(k % 4 < N ? &v[k % 4] : &here, data, n);
		data += nl ? n + 1 : n;
	}
	if (to && pl_doctor_judge(&verdict, &seen, &err) == 0) {
		check(&verdict);
		pl_doctor_show(to, &seen, &verdict);
		if (pl_doctor_show_json(to, &seen, &verdict, &err))
			abort();
	}
	pl_doctor_verdict_fini(&verdict);
	if (to)
		fclose(to);
	free(text);
	return 0;
}
