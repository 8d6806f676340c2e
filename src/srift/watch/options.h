/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-srift watch */
/* Options that watch does not know belong to the search, as in recommend. */
#ifndef PLINK_SRC_SRIFT_WATCH_OPTIONS_H
#define PLINK_SRC_SRIFT_WATCH_OPTIONS_H

#include "base/text/words.h"
#include "planner/srift/watch/watch.h"
#include "src/srift/recommend.h"

#include <stdbool.h>
#include <stdint.h>

/* A string is NULL if not given. */
struct srift_watch_options {
	struct pl_watch_job job;
	const char *search, *launch, *start, *checkpoint, *stop; /* hooks */
	/* without --search, the question of the built-in search */
	struct srift_question question;
	struct pl_words ours, words; /* own the borrowed strings */
	/* time limits of a hook, in seconds of this machine */
	double hook_limit_s, launch_limit_s;
	const char *progress, *heartbeats, *journal;
	struct srift_histories history;
	double time_scale; /* seconds of the job per second of this machine */
	uint64_t batch;    /* samples of an iteration; 0: not given */
	bool json;
	bool done; /* help or version was printed: exit with the status */
};

/* Returns the exit status. If it is not DONE, or @o->done is set, nothing more is to be done. End
 * with fini in any case. */
int srift_watch_options_parse(struct srift_watch_options *o, int argc, char **argv);
void srift_watch_options_fini(struct srift_watch_options *o);

#endif
