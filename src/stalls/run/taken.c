/* SPDX-License-Identifier: BSD-3-Clause */
/* taken.c - what the processes of a step have measured */
#include "config.h"

#include "src/stalls/run/run.h"

#include "planner/json.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

#define TEXT_MAX ((size_t)1 << 20)
#define COUNT_MAX INT64_C(1000000000000)

static int read_counts(const struct pl_json_at *root, struct stalls_taken *t, struct pl_err *err)
{
	const struct {
		const char *key;
		int64_t min;
		uint64_t *to;
	} counts[] = {
		{"iterations", 1, &t->iterations}, {"world", 1, &t->world},
		{"batch", 0, &t->batch},           {"samples", 0, &t->samples},
		{"workers", 0, &t->workers},       {"layers", 0, &t->layers},
		{"gradients", 0, &t->gradients},
	};

	for (size_t i = 0; i < sizeof(counts) / sizeof(counts[0]); i++)
		if (pl_json_whole_in(root, counts[i].key, counts[i].min, COUNT_MAX, counts[i].to,
				     err))
			return -1;
	return 0;
}

static int read_one(struct stalls_taken *t, uint64_t *here, const char *path, struct pl_err *err)
{
	struct pl_text text;
	struct pl_json doc;
	struct pl_json_at root;
	double seconds, median;
	int rc = -1;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	if (pl_json_parse(&doc, &text, err))
		goto out;
	root = pl_json_root(&doc);
	rc = pl_json_object(&root, NULL, err) || read_counts(&root, t, err) ||
			     pl_json_whole_in(&root, "here", 1, COUNT_MAX, here, err) ||
			     pl_json_number_in(&root, "seconds", 1e-9, 1e9, &seconds, err) ||
			     pl_json_number_in(&root, "median", 0, 1e9, &median, err) ||
			     pl_json_number_in(&root, "error", 0, 1e6, &t->error, err)
		     ? -1
		     : 0;
	if (rc == 0) {
		t->seconds = seconds / (double)t->iterations;
		t->median = median;
	}
	pl_json_fini(&doc);
out:
	pl_text_fini(&text);
	return rc;
}

/* The slowest process is what all wait for. */
static int merge(struct stalls_taken *all, const struct stalls_taken *one, size_t n,
		 struct pl_err *err)
{
	if (n > 0 && (one->batch != all->batch || one->world != all->world))
		return pl_err_set(err, PL_EINPUT,
				  "processes differ: one trains %llu samples in an iteration, as "
				  "one of %llu processes, another %llu as one of %llu",
				  (unsigned long long)all->batch, (unsigned long long)all->world,
				  (unsigned long long)one->batch, (unsigned long long)one->world);
	if (n == 0 || one->seconds > all->seconds)
		*all = *one;
	return 0;
}

int stalls_taken_read(struct stalls_taken *taken, const char *folder, const char *script,
		      struct pl_err *err)
{
	DIR *dir = opendir(folder);
	uint64_t here = 1;
	size_t n = 0;
	struct dirent *entry;
	int rc = dir ? 0 : pl_err_errno(err, "cannot read %s", folder);

	while (rc == 0 && (entry = readdir(dir))) {
		const char *end = strrchr(entry->d_name, '.');
		struct stalls_taken one = {.seconds = 0};
		char path[4096];

		if (!end || strcmp(end, ".json") != 0)
			continue;
		snprintf(path, sizeof(path), "%s/%s", folder, entry->d_name);
		if (read_one(&one, &here, path, err) || merge(taken, &one, n, err))
			rc = -1;
		n++;
	}
	if (dir)
		closedir(dir);
	if (rc == 0 && n == 0)
		return pl_err_set(err, PL_EINPUT,
				  "%s: no loop took more batches than the warmup from a "
				  "torch.utils.data.DataLoader and computed gradients with "
				  "backward(): there is nothing to time",
				  script);
	if (rc == 0 && n != here)
		return pl_err_set(err, PL_EPARTIAL, "only %zu of %llu processes wrote their times",
				  n, (unsigned long long)here);
	return rc;
}
