/* SPDX-License-Identifier: BSD-3-Clause */
/* tuned.c - asks a tuner plugin of NCCL as NCCL of one version does */
/*
 *     tuned PLUGIN VERSION RANKS NODES [FUNC BYTES]...
 *
 * makes a communicator and prints a line for each call: the algorithm and the protocol of least
 * cost, and the channels. The costs are such that this is "tree ll" where the plugin does nothing.
 * TUNED_LACKS is an algorithm that cannot be taken, TUNED_SLOW one that takes long.
 */
#include "config.h"

#include <dlfcn.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ALGORITHMS 7 /* of versions 4 to 6; PAT, the last, is new there */
#define PROTOCOLS 3

typedef void logger(int level, unsigned long flags, const char *file, int line, const char *fmt,
		    ...);

struct v3 {
	const char *name;
	int (*init)(size_t ranks, size_t nodes, logger *log, void **context);
	int (*get)(void *context, int func, size_t bytes, int ops, float **cost, int algorithms,
		   int protocols, int *channels);
	int (*destroy)(void *context);
};
struct v4 {
	const char *name;
	int (*init)(size_t ranks, size_t nodes, logger *log, void **context);
	int (*get)(void *context, int func, size_t bytes, int ops, float **cost, int algorithms,
		   int protocols, int registered, int *channels);
	int (*destroy)(void *context);
};
struct v5 {
	const char *name;
	int (*init)(void **context, uint64_t id, size_t ranks, size_t nodes, logger *log,
		    void *domains, void *constants);
	int (*get)(void *context, int func, size_t bytes, int ops, float **cost, int algorithms,
		   int protocols, int registered, int *channels);
	int (*finalize)(void *context);
};

static const char *const algorithm[ALGORITHMS] = {
	"tree", "ring", "collnet-direct", "collnet-chain", "nvls", "nvls-tree", "pat"};
static const char *const protocol[PROTOCOLS] = {"ll", "ll128", "simple"};
static const char *const function[] = {"broadcast", "reduce", "allgather", "reduce-scatter",
				       "allreduce"};

static bool is(const char *variable, const char *value)
{
	const char *s = getenv(variable);

	return s && strcmp(s, value) == 0;
}

static int find(const char *const *word, int n, const char *s)
{
	int i = 0;

	while (i < n && strcmp(word[i], s) != 0)
		i++;
	return i;
}

static void print_choice(float cost[][PROTOCOLS], int n, int channels)
{
	int best = -1;

	for (int i = 0; i < n * PROTOCOLS; i++) {
		const float c = cost[i / PROTOCOLS][i % PROTOCOLS];

		if (c >= 0 && (best < 0 || c < cost[best / PROTOCOLS][best % PROTOCOLS]))
			best = i;
	}
	printf("%s %s %d\n", best < 0 ? "none" : algorithm[best / PROTOCOLS],
	       best < 0 ? "none" : protocol[best % PROTOCOLS], channels);
}

static int get(const void *table, int version, void *context, int func, size_t bytes,
	       float cost[][PROTOCOLS], int n, int *channels)
{
	const struct v3 *v3 = table;
	const struct v4 *v4 = table;
	const struct v5 *v5 = table;

	if (version == 3)
		return v3->get(context, func, bytes, 1, (float **)cost, n, PROTOCOLS, channels);
	return (version == 4 ? v4->get : v5->get)(context, func, bytes, 1, (float **)cost, n,
						  PROTOCOLS, 0, channels);
}

static int ask(const void *table, int version, void *context, const char *func, const char *bytes)
{
	const int n = version == 3 ? ALGORITHMS - 1 : ALGORITHMS;
	float cost[ALGORITHMS][PROTOCOLS];
	int channels = 0;

	for (int a = 0; a < ALGORITHMS; a++)
		for (int p = 0; p < PROTOCOLS; p++)
			cost[a][p] = is("TUNED_LACKS", algorithm[a]) ? -1
				     : is("TUNED_SLOW", algorithm[a])
					     ? 100
					     : (float)(10 + a) + (float)p / 4;
	cost[1][0] = -1; /* of the ring, LL128 is the fastest */
	if (get(table, version, context, find(function, 5, func), strtoull(bytes, NULL, 10), cost,
		n, &channels))
		return 1;
	print_choice(cost, n, channels);
	return 0;
}

int main(int argc, char **argv)
{
	const int version = argc > 4 ? (int)strtol(argv[2], NULL, 10) : 0;
	const size_t ranks = argc > 4 ? strtoul(argv[3], NULL, 10) : 0;
	const size_t nodes = argc > 4 ? strtoul(argv[4], NULL, 10) : 0;
	void *plugin = argc > 4 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
	void *context = NULL;
	const struct v3 *v3;
	const struct v5 *v5;
	char name[32];
	int rc;

	snprintf(name, sizeof(name), "ncclTunerPlugin_v%d", version);
	v3 = plugin ? dlsym(plugin, name) : NULL;
	v5 = (const void *)v3;
	if (!v3)
		return 2;
	rc = version < 5 ? v3->init(ranks, nodes, NULL, &context)
			 : v5->init(&context, 0xabc, ranks, nodes, NULL, NULL, NULL);
	if (rc) {
		printf("init: %d\n", rc);
		return 1;
	}
	for (int i = 5; i + 1 < argc; i += 2)
		if (ask(v3, version, context, argv[i], argv[i + 1]))
			return 1;
	return version < 5 ? v3->destroy(context) : v5->finalize(context);
}
