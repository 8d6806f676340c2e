/* SPDX-License-Identifier: BSD-3-Clause */
/* operation.c - how PyTorch and NCCL name what a rank does, and its operands */
#include "config.h"

#include "job/import/operation.h"

#include <ctype.h>
#include <string.h>

#define NAME_CHARS 32

/* By how a name begins that has small letters alone; the first that fits. */
static const struct {
	const char *begins;
	enum pl_operation_form form;
	enum pl_collective collective;
} known[] = {
	{"allreducebarrier", PL_OPERATION_COLLECTIVE, PL_BARRIER},
	{"allreduce", PL_OPERATION_COLLECTIVE, PL_ALLREDUCE},
	{"allgather", PL_OPERATION_COLLECTIVE, PL_ALLGATHER},
	{"alltoall", PL_OPERATION_COLLECTIVE, PL_ALLTOALL},
	{"barrier", PL_OPERATION_COLLECTIVE, PL_BARRIER},
	{"broadcast", PL_OPERATION_COLLECTIVE, PL_BROADCAST},
	{"reducescatter", PL_OPERATION_COLLECTIVE, PL_REDUCE_SCATTER},
	{"reduce", PL_OPERATION_COLLECTIVE, PL_REDUCE},
	{"send", PL_OPERATION_SEND, 0},
	{"recv", PL_OPERATION_RECEIVE, 0},
	{"wait", PL_OPERATION_NONE, 0},
	{"init", PL_OPERATION_NONE, 0},
};

/* Without "nccl:", and without what is no letter. */
static void simplify(char to[NAME_CHARS], const char *name)
{
	const char *colon = strchr(name, ':');
	size_t n = 0;

	for (const char *s = colon ? colon + 1 : name; *s && *s != ' ' && n + 1 < NAME_CHARS; s++)
		if (isalpha((unsigned char)*s))
			to[n++] = (char)tolower((unsigned char)*s);
	to[n] = '\0';
}

struct pl_operation pl_operation_parse(const char *name)
{
	struct pl_operation op = {.form = PL_OPERATION_LOST};
	char letters[NAME_CHARS];
	size_t i = 0;

	simplify(letters, name);
	while (i < sizeof(known) / sizeof(known[0]) &&
	       strncmp(letters, known[i].begins, strlen(known[i].begins)) != 0)
		i++;
	if (i < sizeof(known) / sizeof(known[0])) {
		op.form = known[i].form;
		op.collective = known[i].collective;
	}
	return op;
}

uint64_t pl_operation_bytes(enum pl_collective collective, uint64_t in, uint64_t out, size_t size)
{
	if (collective == PL_BARRIER)
		return 0;
	if (collective == PL_ALLTOALL)
		return in / size;
	if (collective == PL_REDUCE_SCATTER && out > 0 && out <= INT64_MAX / size)
		return out * size;
	return in;
}
