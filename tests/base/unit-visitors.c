/* SPDX-License-Identifier: BSD-3-Clause */
/* unit-visitors.c - who connects: some belong here, strangers go when they are too many, and nobody
 * waits for another */
#include "config.h"

#include "base/clock.h"
#include "base/visitors.h"
#include "tests/failalloc.h"
#include "tests/tap.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#define HOUR_NS ((int64_t)3600 * 1000 * 1000 * 1000)

/* Says "hi", is known then, and has 3000 bytes to say, the last of which asks to be taken. */
#define LONG 3000
struct visit {
	struct pl_visitor visitor;
	unsigned int n_heard;
};

static int listener, taken = -1;
static unsigned int n_dropped, n_wrong;
static char why_dropped[64];
static struct sockaddr_un address;
static socklen_t address_bytes = sizeof(address);

static enum pl_visit hear(void *with, struct pl_visitor *v)
{
	struct visit *visit = (struct visit *)v;

	n_wrong += with != &listener || v->got != v->want ||
		   v->want != (visit->n_heard == 0 ? 2 : 2 + LONG);
	if (memcmp(v->said, "hi", 2) != 0)
		return PL_VISIT_ENDS;
	v->is_known = true;
	if (visit->n_heard++ == 0) {
		v->want += LONG;
		return PL_VISIT_GOES_ON;
	}
	if (v->said[v->got - 1] != 't')
		return PL_VISIT_ENDS;
	taken = v->fd;
	return PL_VISIT_IS_TAKEN;
}

static void drop(void *with, const struct pl_visitor *v, const char *why)
{
	n_wrong += with != &listener || v->fd < 0;
	n_dropped++;
	snprintf(why_dropped, sizeof(why_dropped), "%s", why);
}

static bool begin(struct pl_visitors *all, int64_t patience_ns)
{
	const struct pl_hearer hearer = {.size = sizeof(struct visit),
					 .first = 2,
					 .patience_ns = patience_ns,
					 .hear = hear,
					 .drop = drop,
					 .with = &listener};

	n_dropped = 0;
	return pl_visitors_init(all, listener, &hearer, NULL) == 0;
}

/* All that has happened so far. */
static void settle(struct pl_visitors *all)
{
	for (int i = 0; i < 100; i++)
		pl_visitors_hear(all, -1, 0, 0);
}

static int come(const char *text)
{
	const int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0 || connect(fd, (struct sockaddr *)&address, address_bytes) ||
	    send(fd, text, strlen(text), 0) != (ssize_t)strlen(text))
		printf("# no connection: %s\n", strerror(errno));
	return fd;
}

static void say_long(int fd, char last)
{
	char text[LONG];

	memset(text, '.', sizeof(text));
	text[LONG - 1] = last;
	if (send(fd, text, sizeof(text), 0) != LONG)
		printf("# not all is said: %s\n", strerror(errno));
}

static bool is_open(int fd)
{
	char c;

	return recv(fd, &c, 1, MSG_DONTWAIT) < 0 && errno == EAGAIN;
}

static void test_hearing(void)
{
	const int silent = come(""), slow = come("h"), stranger = come("ho"), ends = come("hi"),
		  stays = come("hi"), leaves = come("h");
	struct pl_visitors all;
	int pipe_end[2];
	char c;

	if (!begin(&all, HOUR_NS) || pipe(pipe_end))
		return;
	close(leaves);
	settle(&all);
	ok(is_open(silent) && is_open(slow) && !is_open(stranger), "who says something else goes");
	is_int((int64_t)all.n_strangers, 2, "two have not said enough");
	say_long(ends, '.');
	say_long(stays, 't');
	settle(&all);
	ok(!is_open(ends) && is_open(stays) && taken >= 0,
	   "of those that are known, one goes and one is taken");
	ok(send(taken, "!", 1, 0) == 1 && recv(stays, &c, 1, 0) == 1, "whose connection stays");
	send(slow, "i", 1, 0);
	settle(&all);
	ok(is_open(slow) && all.n_strangers == 1, "a slow one is known, too");
	ok(!pl_visitors_hear(&all, pipe_end[0], POLLIN, 0), "another descriptor is not ready");
	close(pipe_end[1]);
	ok(pl_visitors_hear(&all, pipe_end[0], POLLIN, INT64_MAX), "and then it is");
	close(pipe_end[0]);
	pl_visitors_fini(&all);
	ok(!is_open(silent) && !is_open(slow) && is_open(stays) && n_dropped == 0 &&
		   all.trouble.code == 0,
	   "the end: all go but the one that was taken");
	close(taken);
	close(silent);
	close(slow);
	close(stranger);
	close(ends);
	close(stays);
}

static void test_patience(void)
{
	const int silent = come(""), slow = come("h");
	struct pl_visitors all;

	if (!begin(&all, 1))
		return;
	while (n_dropped < 2)
		pl_visitors_hear(&all, -1, 0, pl_clock_ns() + HOUR_NS);
	ok(!is_open(silent) && !is_open(slow), "who says too little goes");
	is_str(why_dropped, "has not said all in time", "and why");
	pl_visitors_fini(&all);
	close(silent);
	close(slow);
}

/* Few descriptors: @left are free, and @more if the limit is raised. Returns the limit. */
static rlim_t leave_descriptors(unsigned int left, unsigned int more)
{
	const int next = dup(0);
	const struct rlimit limit = {(rlim_t)next + left, (rlim_t)next + left + more};

	close(next);
	setrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_cur;
}

static rlim_t limit_now(void)
{
	struct rlimit limit = {0};

	getrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_cur;
}

static void test_strangers(void)
{
	int silent[20], known = come("hi"), last;
	struct pl_visitors all;

	if (!begin(&all, HOUR_NS))
		return;
	all.strangers_max = 5;
	for (int i = 0; i < 20; i++)
		silent[i] = come("h");
	settle(&all);
	ok(!is_open(silent[0]) && !is_open(silent[14]) && is_open(silent[15]) && n_dropped == 15,
	   "the oldest strangers go");
	last = come("hi");
	settle(&all);
	say_long(known, 't');
	settle(&all);
	ok(is_open(known) && is_open(last) && taken >= 0 && n_dropped == 15, "and nobody else");
	close(taken);
	pl_visitors_fini(&all);
	close(known);
	close(last);
	for (int i = 0; i < 20; i++)
		close(silent[i]);
}

static size_t n_visitors(const struct pl_visitors *all)
{
	size_t n = 0;

	for (const struct pl_visitor *v = all->newest; v; v = v->older)
		n++;
	return n;
}

static void test_descriptors(void)
{
	int silent[3], spare[2], known[3];
	struct pl_visitors all;
	rlim_t limit;

	if (!begin(&all, HOUR_NS))
		return;
	known[0] = come("hi");
	for (int i = 0; i < 3; i++)
		silent[i] = come("h");
	known[1] = come("hi");
	spare[0] = dup(0);
	spare[1] = dup(0);
	limit = leave_descriptors(3, 1);
	settle(&all);
	ok(!is_open(silent[0]) && !is_open(silent[1]) && is_open(silent[2]) &&
		   all.n_strangers == 1 && all.trouble.code == 0 && !all.descriptors,
	   "descriptors lack: the oldest strangers go");
	close(silent[2]);
	settle(&all);
	known[2] = come("hi");
	silent[2] = come("hi");
	while (!all.deaf_until_ns)
		pl_visitors_hear(&all, -1, 0, pl_clock_ns() + HOUR_NS);
	ok(n_visitors(&all) == 3 && limit_now() == limit + 1,
	   "no stranger is left: the limit is raised, as far as it goes");
	ok(poll(&(struct pollfd){.fd = all.epoll, .events = POLLIN}, 1, 0) == 0,
	   "then nothing happens for a while");
	has_str(all.trouble.text, "Too many open files", "and why is known");
	close(spare[0]);
	close(spare[1]);
	while (n_visitors(&all) < 4)
		pl_visitors_hear(&all, -1, 0, pl_clock_ns() + HOUR_NS);
	ok(is_open(known[0]) && is_open(silent[2]), "who has waited is heard later");
	pl_visitors_fini(&all);
	ok(limit_now() == limit, "at the end the limit is as it was");
	for (int i = 0; i < 3; i++) {
		close(known[i]);
		close(silent[i]);
	}
}

/* A child process has the connections, too, also one that goes meanwhile; it closes them, and the
 * parent goes on. */
static void test_forked(void)
{
	const int known = come("hi"), silent = come("h"), goes = come("h");
	struct pl_visitors all;
	int status = -1, end[2];
	pid_t pid;
	char c;

	if (!begin(&all, HOUR_NS) || pipe(end))
		return;
	settle(&all);
	pid = fork();
	if (pid == 0) {
		close(end[1]);
		status = (int)read(end[0], &c, 1);
		pl_visitors_forget(&all);
		_exit(status);
	}
	send(goes, "o", 1, 0);
	settle(&all);
	send(goes, "more", 4, 0);
	settle(&all);
	close(end[0]);
	close(end[1]);
	waitpid(pid, &status, 0);
	say_long(known, 't');
	send(silent, "i", 1, 0);
	taken = -1;
	settle(&all);
	ok(status == 0 && taken >= 0 && all.n_strangers == 0 && !is_open(goes),
	   "a child forgets, its parent hears on");
	close(taken);
	close(goes);
	pl_visitors_fini(&all);
	close(known);
	close(silent);
}

static void test_no_memory(void)
{
	bool refused = true;
	size_t k, live;
	unsigned int wrong = 0;

	for (k = 0; refused; k++) {
		const int first = come("hi"), second = come("hi");
		struct pl_visitors all;

		say_long(first, '.');
		say_long(second, '.');
		if (!begin(&all, HOUR_NS))
			return;
		failalloc_begin(k);
		settle(&all);
		pl_visitors_fini(&all);
		refused = failalloc_end(&live);
		wrong += live > 0 || is_open(first) || is_open(second) ||
			 (all.trouble.code != 0) != refused || all.has_lost != refused;
		close(first);
		close(second);
	}
	ok(k == 7, "%zu allocations, each refused once", k - 1);
	is_int(wrong, 0, "refused memory: known, and nothing leaks");
}

int main(void)
{
	address.sun_family = AF_UNIX;
	listener = socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0);
	if (bind(listener, (struct sockaddr *)&address, sizeof(address.sun_family)) ||
	    getsockname(listener, (struct sockaddr *)&address, &address_bytes) ||
	    listen(listener, 64))
		return 99;
	test_hearing();
	test_patience();
	test_strangers();
	test_descriptors();
	test_forked();
	test_no_memory();
	is_int(n_wrong, 0, "the hearer was told what is so");
	close(listener);
	return done_testing();
}
