/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-progress.c - the line of progress: counts, rate, what is left, cut */
#include "config.h"

#include "src/common/progress.h"
#include "tests/tap.h"

#include <math.h>

static const char *text(uint64_t done, uint64_t total, double elapsed_s, double left_s,
			const char *more)
{
	static char buf[200];

	return pl_progress_text(buf, sizeof(buf), "tool",
				&(struct pl_progress_now){
					.done = done,
					.total = total,
					.phase = "measuring",
					.unit = "pairs",
					.elapsed_s = elapsed_s,
					.left_s = left_s,
					.more = more,
				});
}

int main(void)
{
	char small[12];

	is_str(text(0, 496, 0, NAN, NULL), "tool: measuring: 0 of 496 pairs", "at first");
	is_str(text(9, 496, 0.1, NAN, NULL), "tool: measuring: 9 of 496 pairs",
	       "a rate is noise at first");
	is_str(text(96, 496, 4, NAN, NULL), "tool: measuring: 96 of 496 pairs, 24/s, 17 s left",
	       "rate and rest");
	is_str(text(496, 496, 4, NAN, "done"),
	       "tool: measuring: 496 of 496 pairs, 124/s, 0 s left, done", "the end");
	is_str(text(500, 496, 4, NAN, NULL), "tool: measuring: 500 of 496 pairs, 125/s, 0 s left",
	       "beyond it");
	is_str(text(1000000, 0, 2, NAN, NULL), "tool: measuring: 1000000 pairs, 500k/s",
	       "nobody knows how many there are");
	is_str(text(10, 0, 2, 3.2, NULL), "tool: measuring: 10 pairs, 5/s, 4 s left",
	       "until a time");
	is_str(text(1, 201, 1, NAN, NULL), "tool: measuring: 1 of 201 pairs, 1/s, 3 min 20 s left",
	       "minutes");
	is_str(text(1, 7501, 1, NAN, NULL), "tool: measuring: 1 of 7501 pairs, 1/s, 2 h 5 min left",
	       "hours");
	pl_progress_text(small, sizeof(small), "tool",
			 &(struct pl_progress_now){
				 .done = 7, .phase = "measuring", .unit = "pairs", .left_s = NAN});
	is_str(small, "tool: measu", "cut to its room");
	return done_testing();
}
