/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-nccl-tables.c - tables of libplink-nccl: communicators, twins, ld.so's cache */
#include "config.h"

#include "base/rng.h"
#include "shim/nccl/find.h"
#include "shim/nccl/comms.h"
#include "tests/tap.h"

#include <stdlib.h>
#include <unistd.h>

#define HANDLES 4000
#define STEPS 40000

/* A handle is an address, of which NCCL has few and uses them again. */
static char heap[HANDLES][64];

static ncclComm_t handle(size_t i)
{
	return (ncclComm_t)(void *)heap[i];
}

/* Against an array: the record of each handle that is there. */
static void check_comms(void)
{
	static struct pl_nccl_comm *there[HANDLES];
	struct pl_showing none = PL_NOT_SHOWN;
	struct pl_rng rng;
	size_t wrong = 0, twice = 0;

	pl_rng_init(&rng, 7, 1);
	for (size_t step = 0; step < STEPS; step++) {
		const size_t i = pl_rng_below(&rng, HANDLES);

		if (pl_comms_find(handle(i)) != there[i])
			wrong++;
		if (there[i]) {
			pl_comms_forget(there[i]);
			pl_comms_release(there[i]);
			there[i] = NULL;
		} else {
			there[i] = pl_comms_add(handle(i), &none);
			twice += there[i]->shadow || there[i]->n || there[i]->on_one_host ||
				 there[i]->n_calls || there[i]->ops.n || there[i]->rank_in;
			there[i]->n = 1 + (int)i;
			there[i]->shadow = handle(i);
		}
	}
	for (size_t i = 0; i < HANDLES; i++)
		wrong += pl_comms_find(handle(i)) != there[i] ||
			 (there[i] && there[i]->n != 1 + (int)i);
	is_int((int64_t)wrong, 0, "communicators are found, and no others");
	is_int((int64_t)twice, 0, "a record that is used anew is empty");
	ok(!pl_comms_find(NULL), "no communicator has no record");
}

/* Against an array: what belongs to each handle, given, changed and removed. */
static void check_handles(void)
{
	static void *there[HANDLES];
	static struct pl_handles handles; /* keeps its tables, old ones too */
	struct pl_rng rng;
	size_t wrong = 0;

	ok(!pl_handles_remove(&handles, handle(0)), "nothing is removed");
	pl_rng_init(&rng, 7, 2);
	for (size_t step = 0; step < STEPS; step++) {
		const size_t i = pl_rng_below(&rng, HANDLES);
		void *value = heap[pl_rng_below(&rng, HANDLES)];

		if (pl_rng_below(&rng, 3)) {
			wrong += pl_handles_put(&handles, handle(i), value) != 0;
			there[i] = value;
		} else {
			wrong += pl_handles_remove(&handles, handle(i)) != there[i];
			there[i] = NULL;
		}
	}
	for (size_t i = 0; i < HANDLES; i++)
		wrong += pl_handles_find(&handles, handle(i)) != there[i];
	is_int((int64_t)wrong, 0, "what belongs to a handle is the latest");
	ok(handles.table->mask < 8 * HANDLES, "slots are used again: %zu", handles.table->mask + 1);
}

static void check_twins(void)
{
	struct pl_twins twins = {0};
	int keys[9];

	for (int i = 0; i < 9; i++)
		pl_twins_add(&twins, &keys[i], &keys[8 - i]);
	pl_twins_add(&twins, &keys[4], &keys[0]);
	is_int((int64_t)twins.n, 10, "a key may be there twice");
	pl_twins_remove(&twins, pl_twins_find(&twins, &keys[4]));
	ok(pl_twins_find(&twins, &keys[4]), "one of the two remains");
	pl_twins_remove(&twins, pl_twins_find(&twins, &keys[4]));
	ok(!pl_twins_find(&twins, &keys[4]), "then none");
	ok(pl_twins_find(&twins, &keys[3])->of_shadow == &keys[5], "the others stay");
	free(twins.v);
}

/* Ranks 0, 2 and 3 of four, as the processes of one host would show them. */
static void check_same_host(void)
{
	const int pid = getpid();
	const uint64_t common = pl_same_host_mix(4, &pid, sizeof(pid));
	struct pl_showing shown[3] = {
		pl_same_host_show(common, 1, 0, 4),
		pl_same_host_show(common, 1, 2, 4),
		pl_same_host_show(common, 1, 3, 4),
	};
	struct pl_showing again = pl_same_host_show(common, 1, 2, 4);
	struct pl_showing nothing = pl_same_host_show(0, 1, 1, 4);

	ok(pl_same_host_all(&shown[0], 1, 3), "all three are seen");
	ok(!pl_same_host_all(&shown[0], 1, 4), "a fourth is not");
	ok(!pl_same_host_all(&shown[0], 0, 3), "none of them on another host");
	ok(again.fd < 0 && !pl_same_host_all(&again, 1, 3),
	   "a rank that is there already is not shown again");
	ok(nothing.fd < 0, "nothing is shown that nothing has in common");
	pl_same_host_hide(&shown[1]);
	ok(!pl_same_host_all(&shown[0], 1, 3), "one that is gone is missed");
	ok(pl_same_host_mix(4, "ab", 2) != pl_same_host_mix(4, "ba", 2) &&
		   pl_same_host_mix(4, "ab", 2) != pl_same_host_mix(5, "ab", 2),
	   "what differs has nothing in common");
	pl_same_host_hide(&shown[0]);
	pl_same_host_hide(&shown[2]);
}

/* A cache of two libraries, with another format before it, or without. */
static size_t make_cache(char *to, bool old)
{
	static const char strings[] = "liba.so.1\0/lib/liba.so.1\0"
				      "/opt/liba.so.1";
	const uint32_t n = 2, len = sizeof(strings), start = 48 + 2 * 24;
	char *at = to;

	if (old) {
		memcpy(at, "ld.so-1.7.0\0\0\0\0\0", 16);
		at += 16;
	}
	memset(at, 0, start);
	memcpy(at, "glibc-ld.so.cache1.1", 20);
	memcpy(at + 20, &n, 4);
	memcpy(at + 24, &len, 4);
	for (uint32_t i = 0; i < n; i++) {
		const uint32_t name = start, path = start + (i ? 25 : 10);

		memcpy(at + 48 + i * 24 + 4, &name, 4);
		memcpy(at + 48 + i * 24 + 8, &path, 4);
	}
	memcpy(at + start, strings, sizeof(strings));
	return (size_t)(at - to) + start + sizeof(strings);
}

struct seen {
	char paths[256];
	bool takes;
};

static bool note(void *data, const char *path)
{
	struct seen *seen = data;

	strncat(seen->paths, path, sizeof(seen->paths) - strlen(seen->paths) - 2);
	strcat(seen->paths, " ");
	return seen->takes;
}

static bool find(const char *file, const char *bytes, size_t len, const char *name,
		 struct seen *seen)
{
	FILE *out = fopen(file, "w");

	if (out) {
		fwrite(bytes, 1, len, out);
		fclose(out);
	}
	return pl_cache_find(file, name, note, seen);
}

static void check_cache(const char *file, bool old)
{
	struct seen all = {.takes = false}, first = {.takes = true}, none = {.takes = true};
	char bytes[512];
	const size_t len = make_cache(bytes, old);
	size_t wrong = 0;

	ok(!find(file, bytes, len, "liba.so.1", &all) &&
		   !strcmp(all.paths, "/lib/liba.so.1 /opt/liba.so.1 "),
	   "all paths are there (%d): %s", old, all.paths);
	ok(find(file, bytes, len, "liba.so.1", &first) && !strcmp(first.paths, "/lib/liba.so.1 "),
	   "the first that is taken ends it: %s", first.paths);
	ok(!find(file, bytes, len, "liba.so", &none), "no other name");
	for (size_t cut = 0; cut < len; cut++) {
		struct seen some = {.takes = false};

		find(file, bytes, cut, "liba.so.1", &some);
		wrong += strlen(some.paths) > strlen(all.paths);
	}
	memset(bytes + (old ? 16 : 0) + 20, 0xff, 4);
	wrong += find(file, bytes, len, "liba.so.1", &none);
	is_int((int64_t)wrong, 0, "a cache that is cut or lies is survived");
}

int main(void)
{
	char folder[] = "/tmp/plink-XXXXXX", file[64];

	check_comms();
	check_handles();
	check_twins();
	check_same_host();
	if (!mkdtemp(folder))
		return 1;
	snprintf(file, sizeof(file), "%s/cache", folder);
	check_cache(file, false);
	check_cache(file, true);
	ok(!pl_cache_find("/nonexistent", "liba.so.1", note, NULL), "nor is one that is not there");
	unlink(file);
	rmdir(folder);
	return done_testing();
}
