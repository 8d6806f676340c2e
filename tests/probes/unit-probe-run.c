/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-probe-run.c - whole runs from inside: what they leave behind, and
 * memory */
#include "config.h"

#include "probes/run/probe.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t stopped;

static void options_for_here(struct pl_probe_options *o, char *agent, size_t size)
{
	const char *dir = getenv("builddir");

	snprintf(agent, size, "'%s/plink-agent'", dir ? dir : ".");
	pl_probe_defaults(o);
	o->launch = "sh -c";
	o->agent = agent;
	o->iface = "lo";
	o->probes_min = o->probes_max = 3;
	o->again_share = 0;
	o->drift_pairs = 0;
	o->stop = &stopped;
}

static void make_hosts(struct pl_hosts *hosts, const char *const *names)
{
	*hosts = (struct pl_hosts){0};
	for (size_t i = 0; names[i]; i++) {
		char *name = strdup(names[i]);
		const struct pl_host host = {.name = name, .slots = 1};

		if (pl_hosts_add(hosts, &host))
			ok(false, "hosts");
		free(name);
	}
}

static int n_open(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	while (dir && readdir(dir))
		n++;
	if (dir)
		closedir(dir);
	return n;
}

/* Does this process have any child, ended or not? */
static bool has_children(void)
{
	return waitpid(-1, NULL, WNOHANG) >= 0 || errno != ECHILD;
}

struct seen {
	size_t calls, last;
	bool ordered;
};

static void on_progress(void *arg, const struct pl_probe_progress *now)
{
	struct seen *seen = arg;

	if (!strcmp(now->phase, "starting")) {
		seen->ordered = seen->ordered && seen->calls == 0 && !strcmp(now->unit, "hosts") &&
				now->n_all == 3 && (now->n_done < 3) == (now->waiting_for != NULL);
		return;
	}
	seen->ordered = seen->ordered && !now->waiting_for && now->n_alive == 3;
	seen->ordered = seen->ordered && !strcmp(now->unit, "pairs") &&
			!strcmp(now->phase, "measuring") && now->n_done >= seen->last &&
			now->n_all == 3 && now->n_hosts == 3;
	seen->calls++;
	seen->last = now->n_done;
}

static void test_run(void)
{
	static const char *const names[] = {"a", "b", "a", "c", NULL};
	struct pl_probe_report report;
	struct pl_probe_options o;
	struct pl_hosts hosts;
	struct pl_matrix *m;
	struct seen seen = {.ordered = true};
	sigset_t before, after;
	char agent[4096];
	int fds;

	options_for_here(&o, agent, sizeof(agent));
	o.progress = on_progress;
	o.progress_arg = &seen;
	make_hosts(&hosts, names);
	sigemptyset(&before);
	pthread_sigmask(SIG_BLOCK, NULL, &before);
	fds = n_open();
	m = pl_probe_run(&hosts, &o, &report, NULL);
	pthread_sigmask(SIG_BLOCK, NULL, &after);
	if (!ok(m != NULL, "a run"))
		return;
	is_int((int64_t)m->hosts.n, 3, "a name that comes again is one host");
	ok(!strcmp(m->hosts.v[2].name, "c"), "in the order of first coming");
	ok(report.pairs_measured == 6 && report.pairs_missing == 0 && report.probes_sent == 18 &&
		   report.n_rounds == 3 && report.n_hosts == 3 && report.n_lost_hosts == 0,
	   "the report agrees");
	ok(report.elapsed_ns >= report.start_ns && report.start_ns > 0, "with its times");
	ok(seen.ordered && seen.calls >= 2 && seen.last == 3,
	   "progress: of the start, before the first pair and after the last");
	is_int(n_open(), fds, "no descriptor is left open");
	ok(!has_children(), "no child is left");
	ok(sigismember(&before, SIGPIPE) == sigismember(&after, SIGPIPE),
	   "signals are blocked as before");
	pl_matrix_destroy(m);
	pl_hosts_fini(&hosts);
}

static void test_stopped(void)
{
	static const char *const names[] = {"a", "b", NULL};
	struct pl_probe_report report;
	struct pl_probe_options o;
	struct pl_hosts hosts;
	struct pl_matrix *m;
	char agent[4096];

	options_for_here(&o, agent, sizeof(agent));
	make_hosts(&hosts, names);
	stopped = 1;
	m = pl_probe_run(&hosts, &o, &report, NULL);
	stopped = 0;
	ok(m && report.interrupted && report.pairs_missing == 2 && isnan(m->layer[0].cell[1]),
	   "stopped before it began: all is missing");
	ok(m && m->n_notes == 2 && strstr(m->note[0].text, "interrupted"), "and says why");
	ok(!has_children(), "no child is left");
	pl_matrix_destroy(m);
	pl_hosts_fini(&hosts);
}

/* Tells a pipe that pairs have been measured. */
static void on_measured(void *arg, const struct pl_probe_progress *now)
{
	const int *fd = arg;

	if (strcmp(now->phase, "starting") != 0 && now->n_done > 0 && write(*fd, "", 1) != 1)
		_exit(99);
}

/* A process that measures rounds of some 0.3 s, which may take 6.3 s (pl_pass_limit). Ends with 0
 * if all is measured and no host lost. */
static pid_t start_run(int fd)
{
	static const char *const names[] = {"a", "b", "c", "d", NULL};
	struct pl_probe_report report;
	struct pl_probe_options o;
	struct pl_hosts hosts;
	char agent[4096];
	const pid_t pid = fork();

	if (pid != 0)
		return pid;
	options_for_here(&o, agent, sizeof(agent));
	o.gap_ns = 50000000;
	o.pair_ns = 1000000;
	o.silence_ns = 500000000;
	o.progress = on_measured;
	o.progress_arg = &fd;
	make_hosts(&hosts, names);
	_exit(!pl_probe_run(&hosts, &o, &report, NULL) || report.pairs_missing ||
	      report.n_lost_hosts);
}

/* Stopped in the middle of a round, for longer than it may take and than agents may be silent. */
static void test_stands_still(void)
{
	const struct timespec while_stopped = {.tv_sec = 11};
	int fd[2], status = -1;
	char byte;
	pid_t pid;

	if (!ok(pipe(fd) == 0, "a pipe"))
		return;
	pid = start_run(fd[1]);
	ok(read(fd[0], &byte, 1) == 1 && kill(pid, SIGSTOP) == 0, "a run is stopped");
	nanosleep(&while_stopped, NULL);
	kill(pid, SIGCONT);
	waitpid(pid, &status, 0);
	is_int(status, 0, "it blames nobody, and measures all");
	close(fd[0]);
	close(fd[1]);
}

static void test_refused(void)
{
	static const char *const names[] = {"a", NULL}, *const none[] = {NULL};
	struct pl_probe_report report;
	struct pl_probe_options o;
	struct pl_hosts hosts;
	struct pl_err err = {0};
	char agent[4096];

	options_for_here(&o, agent, sizeof(agent));
	make_hosts(&hosts, none);
	ok(!pl_probe_run(&hosts, &o, &report, &err) && err.code == PL_EUSAGE, "no host at all");
	make_hosts(&hosts, names);
	o.probes_max = 2;
	ok(!pl_probe_run(&hosts, &o, &report, &err) && err.code == PL_EUSAGE,
	   "more probes at least than at most");
	pl_hosts_fini(&hosts);
}

/* Of two hosts with the way back missing. */
static struct pl_matrix *make_part(const struct pl_hosts *hosts)
{
	struct pl_matrix *m = pl_matrix_create(hosts, NULL);

	free(m->layer[0].statistic);
	m->layer[0].statistic = strdup("p10");
	m->method = strdup("udp");
	m->hosts.v[0].node = strdup("before");
	m->layer[0].cell[1] = 12345;
	if (pl_matrix_add_note(m, 0, 1, "kept"))
		ok(false, "a note");
	return m;
}

static void test_resume(void)
{
	static const char *const names[] = {"a", "b", NULL};
	struct pl_probe_report report;
	struct pl_matrix *part, *m;
	struct pl_probe_options o;
	struct pl_hosts hosts;
	char agent[4096];

	options_for_here(&o, agent, sizeof(agent));
	make_hosts(&hosts, names);
	o.resume = part = make_part(&hosts);
	m = pl_probe_run(&hosts, &o, &report, NULL);
	ok(m && m->layer[0].cell[1] == 12345 && m->layer[0].cell[2] > 0,
	   "what is missing is measured, the rest kept");
	/* three probes in all; one or two more where an answer came late */
	ok(m && report.pairs_kept == 1 && report.pairs_measured == 2 && report.probes_sent >= 3 &&
		   report.probes_sent < 6 && report.packets_sent > report.probes_sent,
	   "only that direction was probed");
	ok(m && !strcmp(m->note[0].text, "kept"), "notes are kept");
	ok(m && strcmp(m->hosts.v[0].node, "before") != 0,
	   "a host's own word comes before the file's");
	pl_matrix_destroy(m);
	part->layer[0].cell[2] = 54321;
	o.agent = "/no/such/agent";
	m = pl_probe_run(&hosts, &o, &report, NULL);
	ok(m && report.n_lost_hosts == 0 && m->layer[0].cell[2] == 54321 &&
		   !strcmp(m->hosts.v[0].node, "before"),
	   "nothing is missing: nothing is started");
	pl_matrix_destroy(m);
	pl_matrix_destroy(part);
	pl_hosts_fini(&hosts);
}

/* One run with allocation number @k refused. False when there is no such. */
static bool run_short_of_memory(const struct pl_hosts *hosts, const struct pl_probe_options *o,
				size_t k, int *wrong)
{
	struct pl_probe_report report;
	struct pl_err err = {0};
	struct pl_matrix *m;
	size_t live;
	bool refused;

	failalloc_begin(k);
	m = pl_probe_run(hosts, o, &report, &err);
	/* a host that cannot be started for want of memory is lost: that is an answer, too */
	if (m)
		*wrong += report.pairs_measured + report.pairs_missing != hosts->n * (hosts->n - 1);
	else
		*wrong += err.code != PL_ESYSTEM;
	pl_matrix_destroy(m);
	refused = failalloc_end(&live);
	*wrong += live != 0;
	*wrong += refused && m && report.n_lost_hosts == 0;
	return refused;
}

static void test_memory(void)
{
	static const char *const names[] = {"a", "b", NULL};
	struct pl_probe_options o;
	struct pl_hosts hosts;
	char agent[4096];
	struct pl_matrix *part;
	const int fds = n_open();
	int wrong = 0;
	size_t k = 0;

	options_for_here(&o, agent, sizeof(agent));
	make_hosts(&hosts, names);
	o.drift_pairs = 1; /* a second look, too */
	o.again_share = 1;
	while (run_short_of_memory(&hosts, &o, k, &wrong))
		k++;
	ok(k > 20, "each of %zu allocations refused in turn", k);
	o.resume = part = make_part(&hosts);
	for (k = 0; run_short_of_memory(&hosts, &o, k, &wrong);)
		k++;
	ok(k > 20, "resumed: each of %zu", k);
	pl_matrix_destroy(part);
	is_int(wrong, 0, "an error or a lost host each time, and nothing leaks");
	is_int(n_open(), fds, "no descriptor is left open");
	ok(!has_children(), "no child is left");
	pl_hosts_fini(&hosts);
}

int main(void)
{
	test_run();
	test_stopped();
	test_stands_still();
	test_refused();
	test_resume();
	test_memory();
	return done_testing();
}
