/* SPDX-License-Identifier: BSD-3-Clause */
/* facts.c - parses what a host answers */
#include "config.h"

#include "src/doctor/facts.h"

#include "base/text/number.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define S_NS INT64_C(1000000000)
#define CLOCK_MAX_S INT64_C(9000000000) /* in ns it fits in 63 bits */

static const struct {
	const char *key;
	size_t at; /* of the text in struct pl_doctor_facts */
} texts[] = {
	{"node", offsetof(struct pl_doctor_facts, node)},
	{"machine", offsetof(struct pl_doctor_facts, machine)},
	{"agent", offsetof(struct pl_doctor_facts, agent)},
	{"plink", offsetof(struct pl_doctor_facts, plink)},
	{"mpi", offsetof(struct pl_doctor_facts, mpi)},
	{"nccl", offsetof(struct pl_doctor_facts, nccl)},
	{"shim", offsetof(struct pl_doctor_facts, shim)},
	{"shim-for", offsetof(struct pl_doctor_facts, shim_for)},
	{"shim-mpi", offsetof(struct pl_doctor_facts, shim_mpi)},
	{"shim-fault", offsetof(struct pl_doctor_facts, shim_fault)},
};

int pl_doctor_clock_parse(const char *s, struct pl_doctor_span *clock)
{
	const size_t len = strspn(s, "0123456789");
	int64_t seconds, ns = 0, digit = S_NS / 10;

	if (len == 0 || (s[len] && s[len] != '.') || pl_int_parse(s, len, 0, CLOCK_MAX_S, &seconds))
		return -1;
	*clock = (struct pl_doctor_span){seconds * S_NS, seconds * S_NS + S_NS};
	if (!s[len])
		return 0;
	s += len + 1;
	if (!*s || s[strspn(s, "0123456789")])
		return 0; /* "%N" from a date(1) that does not know it */
	for (; *s && digit > 0; s++, digit /= 10)
		ns += digit * (*s - '0');
	clock->lo_ns += ns;
	clock->hi_ns = clock->lo_ns + (digit > 0 ? digit * 10 : 1);
	return 0;
}

void pl_doctor_read_clock(struct pl_doctor_facts *f, struct pl_doctor_span clock,
			  struct pl_doctor_span asked)
{
	const unsigned k = f->n_skews < 2 ? f->n_skews++ : 1;

	f->skew[k].lo_ns = clock.lo_ns - asked.hi_ns;
	f->skew[k].hi_ns = clock.hi_ns - asked.lo_ns;
}

struct pl_doctor_span pl_doctor_skew(const struct pl_doctor_facts *f)
{
	const struct pl_doctor_span *a = &f->skew[0], *b = &f->skew[1];
	struct pl_doctor_span both;

	if (f->n_skews == 0)
		return (struct pl_doctor_span){INT64_MAX, INT64_MIN};
	if (f->n_skews == 1)
		return *a;
	both.lo_ns = a->lo_ns > b->lo_ns ? a->lo_ns : b->lo_ns;
	both.hi_ns = a->hi_ns < b->hi_ns ? a->hi_ns : b->hi_ns;
	return both.lo_ns <= both.hi_ns ? both : *a;
}

static void keep(char *to, const char *text)
{
	snprintf(to, PL_DOCTOR_TEXT, "%s", text);
	for (; *to; to++) /* the text goes to a terminal */
		if ((unsigned char)*to < ' ' || *to == 127)
			*to = '?';
}

enum pl_doctor_key pl_doctor_hear(struct pl_doctor_facts *f, const char *line,
				  struct pl_doctor_span *clock)
{
	const char *key = strstr(line, PL_DOCTOR_MARK), *text;
	size_t len;

	if (!key)
		return PL_DOCTOR_STRANGE;
	key += sizeof(PL_DOCTOR_MARK) - 1;
	len = strcspn(key, " ");
	text = key + len + strspn(key + len, " ");
	if (len == 5 && !strncmp(key, "hello", len))
		return PL_DOCTOR_HELLO;
	if (len == 3 && !strncmp(key, "end", len))
		return PL_DOCTOR_END;
	if (len == 5 && !strncmp(key, "clock", len))
		return pl_doctor_clock_parse(text, clock) ? PL_DOCTOR_STRANGE : PL_DOCTOR_CLOCK;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		if (strlen(texts[i].key) != len || strncmp(key, texts[i].key, len) != 0)
			continue;
		keep((char *)f + texts[i].at, text);
		return PL_DOCTOR_FACT;
	}
	return PL_DOCTOR_STRANGE;
}

const char *pl_doctor_version(const char *text, const char *tool, char version[PL_DOCTOR_TEXT])
{
	char head[64];
	const char *at;
	size_t len;

	snprintf(head, sizeof(head), "%s (plink) ", tool);
	at = strstr(text, head);
	if (!at)
		return NULL;
	at += strlen(head);
	len = strcspn(at, " ");
	if (len == 0 || len >= PL_DOCTOR_TEXT)
		return NULL;
	memcpy(version, at, len);
	version[len] = '\0';
	return version;
}
