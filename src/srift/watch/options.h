/* SPDX-License-Identifier: BSD-3-Clause */
/* options.h - the command line of plink-srift watch */
/* What it does not know itself is for the search, which recommend has, too. */
#ifndef PLINK_SRC_SRIFT_WATCH_OPTIONS_H
#define PLINK_SRC_SRIFT_WATCH_OPTIONS_H

#include "base/text/words.h"
#include "planner/srift/watch/watch.h"
#include "src/srift/recommend.h"

#include <stdbool.h>
#include <stdint.h>

/* Strings: NULL, not given. */
struct srift_watch_options {
	struct pl_watch_job job;
	const char *search, *launch, *start, *checkpoint, *stop; /* hooks */
	/* without a hook for it, what is to be searched for */
	struct srift_question question;
	struct pl_words ours, words; /* what all is borrowed from */
	/* seconds of this machine that a hook may take */
	double hook_limit_s, launch_limit_s;
	const char *progress, *heartbeats, *journal;
	double time_scale; /* seconds of the job in one of this machine */
	uint64_t batch;    /* samples of an iteration; 0: not told */
	bool json;
	bool done; /* help or version was printed: exit with the status */
};

/* The exit status: where it is not DONE or @o->done is set, there is nothing
 * more to do. End with fini either way. */
int srift_watch_options_parse(struct srift_watch_options *o, int argc,
			      char **argv);
void srift_watch_options_fini(struct srift_watch_options *o);

#endif
