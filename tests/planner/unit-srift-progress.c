/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-srift-progress.c - what jobs say, files that grow, answers, journals */
#include "config.h"

#include "base/rng.h"
#include "planner/srift/watch/follow.h"
#include "planner/srift/watch/journal.h"
#include "tests/tap.h"

#include <fcntl.h>
#include <math.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const struct {
	const char *line;
	long col;
	const char *part;
} bad[] = {
	{"iteration", 10, "a value is missing"},
	{"iteration x", 11, "a number of iterations is wanted, not \"x\""},
	{"iteration -1", 11, "\"-1\""},
	{"iteration 1e3", 11, "\"1e3\""},
	{"iteration 99999999999999999999", 11, "iterations is wanted"},
	{"iteration 1 2", 13, "unexpected: \"2\""},
	{"dollars -1", 9, "dollars are wanted"},
	{"dollars nan", 9, "\"nan\""},
	{"dollars 1e300", 9, "dollars are wanted"},
	{"heartbeat", 10, "missing"},
	{"heartbeat -rf", 11, "\"-rf\" is no name of a host"},
	{"heartbeat ../x", 11, "no name"},
	{"lost a/b", 6, "no name"},
	{"staged", 7, "missing"},
	{"lost $(date)", 6, "no name"},
	{"  done 5", 8, "unexpected: "},
	{"Iteration 5", 1, "not \"Iteration\""},
	{"loss=0.31", 1, "iteration, checkpoint, dollars"},
};

/* Feeds the text in pieces of @step bytes; the last statement and how many. */
static size_t feed(const char *s, size_t len, size_t step, struct pl_said *last, struct pl_err *err)
{
	struct pl_progress_lines lines = {.file = "job"};
	struct pl_said p;
	size_t n = 0, at = 0;

	while (at < len) {
		const size_t end = at + step < len ? at + step : len;
		int status = 0;

		at += pl_progress_feed(&lines, s + at, end - at, &p, &status, err);
		if (status > 0 && p.kind != PL_PROGRESS_NOTHING) {
			*last = p;
			n++;
		}
	}
	return n;
}

static void test_bad(void)
{
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		struct pl_err err = {0};
		struct pl_said p;
		char text[128];
		const int len = snprintf(text, sizeof(text), "\n%s\n", bad[i].line);

		is_int((int64_t)feed(text, (size_t)len, 1000, &p, &err), 0, bad[i].line);
		ok(err.code == PL_EINPUT && err.line == 2 && err.col == bad[i].col,
		   "its place: job:2:%ld", err.col);
		has_str(err.text, bad[i].part, "its fault");
	}
}

static void test_good(void)
{
	static const char text[] = "# a job\n\niteration 7\r\n  checkpoint 6\n"
				   "dollars 1.25\nheartbeat n-1.b:2\n"
				   "lost N_2\ndone\niteration 9";
	struct pl_err err = {0};
	struct pl_said p = {0};

	for (size_t step = 1; step < sizeof(text); step++)
		if (feed(text, sizeof(text) - 1, step, &p, &err) != 6)
			break;
	is_int((int64_t)feed(text, sizeof(text) - 1, 1, &p, &err), 6,
	       "six statements, however they come");
	is_int(p.kind, PL_PROGRESS_DONE, "a line without its end is none");
	feed("dollars 1.25\n", 13, 5, &p, &err);
	ok(p.kind == PL_PROGRESS_DOLLARS && p.dollars == 1.25, "dollars");
	feed("gain 12.5\n", 10, 5, &p, &err);
	ok(p.kind == PL_PROGRESS_GAIN && p.percent == 12.5, "a gain");
	feed("staged n-2\n", 11, 4, &p, &err);
	ok(p.kind == PL_PROGRESS_STAGE && !strcmp(p.host, "n-2"), "a stage");
	feed("heartbeat n-1.b:2\n", 18, 4, &p, &err);
	is_str(p.host, "n-1.b:2", "a host");
	is_int(err.code, PL_OK, "no fault");
}

static void test_long_line(void)
{
	static char text[3000];
	struct pl_err err = {0};
	struct pl_said p = {0};

	memset(text, 'x', sizeof(text));
	memcpy(text + 2500, "\niteration 3\n", 13);
	is_int((int64_t)feed(text, 2513, 100, &p, &err), 1,
	       "a line too long is passed over, the next is read");
	is_int((int64_t)p.iterations, 3, "in full");
	has_str(err.text, "a line of more than 1024 bytes", "and it is told");
}

/* Any bytes in any pieces give the same. */
static void test_pieces(void)
{
	struct pl_rng rng;
	bool same = true;

	pl_rng_init(&rng, 1, 1);
	for (int i = 0; i < 2000 && same; i++) {
		static const char alphabet[] = "iteraonl 0123\n\n#";
		char text[64];
		struct pl_said a = {0}, b = {0};
		size_t na, nb;

		for (size_t k = 0; k < sizeof(text); k++)
			text[k] = alphabet[pl_rng_u64(&rng) % (sizeof(alphabet) - 1)];
		if (i % 2)
			memcpy(text, "\niteration 12\n", 14);
		na = feed(text, sizeof(text), 64, &a, NULL);
		nb = feed(text, sizeof(text), 1 + (size_t)(pl_rng_u64(&rng) % 7), &b, NULL);
		same = na == nb && na >= (size_t)(i % 2) && a.kind == b.kind &&
		       a.iterations == b.iterations;
	}
	ok(same, "2000 random texts (seed 1), cut differently");
}

static char dir[] = "/tmp/plink-progress.XXXXXX";

static const char *path_of(const char *name)
{
	static char path[256];

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	return path;
}

static void put(const char *path, const char *how, const char *text)
{
	FILE *f = fopen(path, how);

	if (f) {
		fputs(text, f);
		fclose(f);
	}
}

/* The iterations of all lines that are there now, as a text; "!" for bad
 * ones. */
static const char *all(struct pl_follow *f)
{
	static char got[256];
	struct pl_said p;
	struct pl_err err = {0};
	int rc;

	*got = '\0';
	while ((rc = pl_follow_next(f, &p, &err))) {
		const size_t len = strlen(got);

		if (rc < 0 && err.code != PL_EINPUT)
			return "failed";
		snprintf(got + len, sizeof(got) - len, rc < 0 ? "!" : "%d ", (int)p.iterations);
	}
	return got;
}

static void test_file(void)
{
	char path[256];
	const struct pl_journal_place none = {0};
	struct pl_journal_place place;
	struct pl_follow f;

	snprintf(path, sizeof(path), "%s", path_of("grows"));
	pl_follow_init(&f, path, &none);
	is_str(all(&f), "", "a file that is not there yet is waited for");
	put(path, "w", "iteration 1\niterat");
	is_str(all(&f), "1 ", "its first line");
	put(path, "a", "ion 2\nbad\niteration 3\n");
	is_str(all(&f), "2 !3 ", "it grows; a bad line is passed over");
	put(path, "a", "iteration 4\niterati");
	is_str(all(&f), "4 ", "and grows");
	place = f.place;
	pl_follow_fini(&f);

	put(path, "a", "on 5\n");
	pl_follow_init(&f, path, &place);
	is_str(all(&f), "5 ", "another goes on behind the last whole line");
	put(path, "w", "iteration 6\n");
	is_str(all(&f), "", "it became shorter: seen at its end");
	is_str(all(&f), "6 ", "and read anew");
	unlink(path);
	put(path, "w", "iteration 7\niteration 8\niteration 9\n");
	all(&f);
	is_str(all(&f), "7 8 9 ", "another file of that name is, too");
	place = f.place;
	is_int((int64_t)place.offset, 36, "to its end");
	pl_follow_fini(&f);
	place.inode++;
	pl_follow_init(&f, path, &place);
	is_str(all(&f), "7 8 9 ", "a place in another file is none");
	pl_follow_fini(&f);
	pl_follow_init(&f, dir, &none);
	is_str(all(&f), "failed", "a folder is refused");
	pl_follow_fini(&f);
}

static void test_pipe(void)
{
	const struct pl_journal_place none = {0};
	const char *path = path_of("pipe");
	struct pl_follow f;

	ok(!mkfifo(path, 0600), "a named pipe");
	pl_follow_init(&f, path, &none);
	is_str(all(&f), "", "nothing yet, and nobody waits");
	put(path, "w", "iteration 1\n");
	is_str(all(&f), "1 ", "a writer comes and goes");
	put(path, "w", "iteration 2\n");
	is_str(all(&f), "2 ", "and another one");
	pl_follow_fini(&f);
}

static void test_beats(void)
{
	struct pl_nodes nodes = {0};
	struct pl_beats beats = {0};
	const struct timespec times[2] = {{1000, 0}, {1000, 0}};
	struct pl_node node = {
		.name = (char *)(uintptr_t) "h1", .type = (char *)(uintptr_t) "t", .ended_s = NAN};

	pl_nodes_add(&nodes, &node);
	node.name = (char *)(uintptr_t) "h2";
	pl_nodes_add(&nodes, &node);
	put(path_of("h1"), "w", "");
	pl_beats_look(&beats, dir, &nodes, 5);
	ok(nodes.node[0].beat_s == 5 && nodes.node[1].beat_s == 0, "a file is a sign of life");
	pl_beats_look(&beats, dir, &nodes, 6);
	ok(nodes.node[0].beat_s == 5, "once");
	utimensat(AT_FDCWD, path_of("h1"), times, 0);
	pl_beats_look(&beats, dir, &nodes, 7);
	ok(nodes.node[0].beat_s == 7, "whatever its clock says");
	pl_beats_fini(&beats);
	pl_nodes_fini(&nodes);
}

static const struct {
	const char *text;
	enum pl_code code;
	long line, col;
	const char *part;
} bad_answers[] = {
	{"", PL_EINPUT, 1, 1, "lacks a line \"machines\""},
	{"machines 1 a spot 2 3\n", PL_EINPUT, 2, 1, "lacks a line \"iter"},
	{"iteration 0\n", PL_EINPUT, 1, 10, "more than 0 s"},
	{"iteration x\n", PL_EINPUT, 1, 11, "\"x\""},
	{"iteration 1 2\n", PL_EINPUT, 1, 13, "unexpected: "},
	{"machines 0 a spot 2 3\n", PL_EINPUT, 1, 10, "a count"},
	{"machines 1 $a spot 2 3\n", PL_EINPUT, 1, 12, "no type"},
	{"machines 1 a often 2 3\n", PL_EINPUT, 1, 14, "spot or on-demand"},
	{"machines 1 a spot 0 3\n", PL_EINPUT, 1, 19, "samples"},
	{"machines 1 a spot 2 -3\n", PL_EINPUT, 1, 21, "a price"},
	{"machines 1 a spot 2\n", PL_EINPUT, 1, 20, "a price is missing"},
	{"machines 1 a spot 2 3\nmachines 1 a spot 4 5\n", PL_EINPUT, 2, 9, "a comes twice"},
	{"please wait\n", PL_EINPUT, 1, 1, "not \"please\""},
	{"none\n", PL_EPARTIAL, 0, 0, "no machines were found"},
	{"none  too dear by $3 \n", PL_EPARTIAL, 0, 0, "too dear by $3"},
};

static void test_answers(void)
{
	static const char good[] = "# two\niteration 0.5\nmachines 2 a spot 64 0.5\n"
				   "machines 1 a on-demand 64 1.5\n";
	struct pl_srift_fleet fleet = {0};
	struct pl_text text;
	struct pl_err err;

	for (size_t i = 0; i < sizeof(bad_answers) / sizeof(*bad_answers); i++) {
		const char *s = bad_answers[i].text;

		err = (struct pl_err){0};
		pl_text_copy(&text, "search", s, strlen(s), &err);
		ok(pl_fleet_parse(&fleet, &text, &err) && !fleet.part &&
			   err.code == bad_answers[i].code && err.line == bad_answers[i].line &&
			   err.col == bad_answers[i].col,
		   "answer %zu: refused at %ld:%ld", i, err.line, err.col);
		has_str(err.text, bad_answers[i].part, "and why");
		pl_text_fini(&text);
	}
	pl_text_copy(&text, "search", good, strlen(good), &err);
	ok(!pl_fleet_parse(&fleet, &text, &err), "an answer");
	is_int((int64_t)pl_fleet_machines(&fleet), 3, "three machines");
	ok(pl_fleet_per_hour(&fleet) == 2.5 && fleet.iteration_s == 0.5, "at $2.50 an hour");
	pl_srift_fleet_fini(&fleet);
	pl_text_fini(&text);
}

static void tell(void *ctx, const struct pl_srift_watch *w, const struct pl_watch_event *e)
{
	(void)ctx;
	(void)w;
	(void)e;
}

static const struct pl_watch_job job = {
	.iterations = 10, .time_limit_s = INFINITY, .budget = INFINITY};

/* Reads the journal; 0 and what it ends with, or -1. */
static int read_back(const char *path, struct pl_journal_end *end, uint64_t *iteration,
		     struct pl_err *err)
{
	struct pl_srift_watch w;
	int rc;

	*err = (struct pl_err){0};
	pl_watch_init(&w, &job, tell, NULL);
	rc = pl_journal_read(path, &w, end, err);
	*iteration = w.iteration;
	pl_watch_fini(&w);
	return rc;
}

static void write_two(struct pl_journal *j)
{
	const struct pl_journal_end end = {.began_s = 1000, .time_scale = 1};
	const struct pl_watch_event e = {
		.name = "progress", .at_s = 5, .left_s = NAN, .finish_s = NAN};
	struct pl_srift_watch w;
	struct pl_err err;

	pl_watch_init(&w, &job, tell, NULL);
	w.iteration = 3;
	ok(!pl_journal_write(j, &w, &e, &end, &err), "a line is written");
	w.iteration = 4;
	ok(!pl_journal_write(j, &w, &e, &end, &err), "and another");
	pl_watch_fini(&w);
}

static void test_journal(void)
{
	struct pl_journal j = {.fd = -1}, other = {.fd = -1};
	struct pl_journal_end end;
	struct pl_err err;
	uint64_t n;
	char path[256];

	snprintf(path, sizeof(path), "%s", path_of("journal"));
	ok(!pl_journal_open(&j, path, &err), "a journal");
	ok(!read_back(path, &end, &n, &err) && !end.found, "empty: no state");
	ok(pl_journal_open(&other, path, &err) && err.code == PL_EPARTIAL,
	   "one watch at a time: %s", err.text);
	write_two(&j);
	ok(!read_back(path, &end, &n, &err) && end.found && !end.cut && n == 4,
	   "the last line counts");
	ok(end.began_s == 1000 && end.at_s == 5 && end.iterations == 10, "with its times");
	put(path, "a", "{\"journal\": 1, \"at");
	ok(!read_back(path, &end, &n, &err) && end.cut && n == 4,
	   "a line that is cut off does not");
	ok(!pl_journal_mend(&j, &err), "and is taken away");
	ok(!read_back(path, &end, &n, &err) && !end.cut && n == 4, "the rest is as it was");
	put(path, "a", "{\"journal\": 2}\n");
	ok(read_back(path, &end, &n, &err) && err.code == PL_EINPUT && err.line == 3 &&
		   err.col == 13,
	   "another version is refused: %s:%ld:%ld: %s", err.file, err.line, err.col, err.text);
	pl_journal_close(&j);
	ok(pl_journal_open(&j, dir, &err), "a folder is no journal");
	put(path, "w", "{\"event\":\"pl");
	ok(!read_back(path, &end, &n, &err) && !end.found && end.cut,
	   "a first line that is cut off: no state");
	put(path, "w", "my diary, of one line");
	ok(read_back(path, &end, &n, &err) && err.code == PL_EINPUT && err.line == 1,
	   "another file is refused before it is mended: %s", err.text);
}

/* As in /tmp, where anybody may have left a link. */
static void test_strangers_link(void)
{
	struct pl_journal j = {.fd = -1};
	struct pl_err err;
	char folder[256], mine[256], link[264];

	snprintf(folder, sizeof(folder), "%s", path_of("all"));
	snprintf(mine, sizeof(mine), "%s", path_of("mine"));
	snprintf(link, sizeof(link), "%s/theirs", folder);
	if (geteuid() != 0 || mkdir(folder, 0700) || chmod(folder, 01777) ||
	    symlink("../mine", link)) {
		ok(true, "another user's link # SKIP cannot be made");
		return;
	}
	ok(!pl_journal_open(&j, link, &err) && !access(mine, F_OK), "one's own link is followed");
	pl_journal_close(&j);
	unlink(mine);
	if (lchown(link, 65534, 65534))
		abort();
	ok(pl_journal_open(&j, link, &err) && access(mine, F_OK),
	   "another user's link where all may write is not: %s", err.text);
}

int main(void)
{
	char command[64];

	test_bad();
	test_good();
	test_long_line();
	test_pieces();
	test_answers();
	if (!ok(mkdtemp(dir) != NULL, "a folder"))
		return done_testing();
	test_file();
	test_pipe();
	test_beats();
	test_journal();
	test_strangers_link();
	snprintf(command, sizeof(command), "rm -r %s", dir);
	ok(system(command) == 0, "cleaned up");
	return done_testing();
}
