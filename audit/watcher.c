/* SPDX-License-Identifier: BSD-3-Clause */
/* watcher.c - the capture on one host, as the one who started it sees it */
#include "config.h"

#include "audit/watcher.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/text/scratch.h"
#include "base/text/shell.h"
#include "probes/launch/launch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define END_MS 3000
#define WRITE_S 30
#define POLL_MS 20

/* Appends the option and its value as one word of a shell. */
static int put_option(FILE *f, const char *option, const char *value)
{
	char *quoted = pl_shell_quote(value);

	if (!quoted)
		return -1;
	fprintf(f, " %s%s", option, quoted);
	free(quoted);
	return 0;
}

/* The command to be run there; malloc'd, or NULL. */
static char *make_command(const struct pl_watch_options *o)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);
	int bad;

	if (!f)
		return NULL;
	fprintf(f, "%s --capture --announce --hosts=- -w -", o->agent);
	bad = put_option(f, "--iface=", o->iface);
	if (o->filter)
		bad |= put_option(f, "--filter=", o->filter);
	if (fclose(f) || bad) {
		free(text);
		return NULL;
	}
	return text;
}

/* A host a line, by its address where that is known. */
static char *make_list(const struct pl_placement *job)
{
	char *text = NULL;
	size_t size;
	FILE *f = open_memstream(&text, &size);

	if (!f)
		return NULL;
	for (size_t i = 0; i < job->node.n; i++) {
		const struct pl_host *h = &job->node.v[i];
		const char *s = h->addr ? h->addr : h->name;

		fprintf(f, strchr(s, ':') ? "[%s]\n" : "%s\n", s);
	}
	fputs(PL_WATCH_LIST_END "\n", f);
	if (fclose(f)) {
		free(text);
		return NULL;
	}
	return text;
}

/* All of it; it is read at once there, or the launcher hangs. */
static int write_all(int fd, const char *s, const volatile sig_atomic_t *stop)
{
	const int64_t deadline = pl_clock_ns() + WRITE_S * (int64_t)1000000000;
	size_t left = strlen(s);

	while (left && !*stop && pl_clock_ns() < deadline) {
		struct pollfd fds = {fd, POLLOUT, 0};
		ssize_t n;

		poll(&fds, 1, POLL_MS);
		n = write(fd, s, left);
		if (n < 0 && errno != EINTR && errno != EAGAIN)
			return -1;
		if (n > 0) {
			s += n;
			left -= (size_t)n;
		}
	}
	return 0;
}

static int open_spool(struct pl_watcher *w, const struct pl_watch_options *o, struct pl_err *err)
{
	char *path;
	int fd;

	if (!o->keep) {
		w->spool = pl_scratch_open();
	} else {
		if (asprintf(&path, "%s.%s.pcap", o->keep, w->host) < 0)
			return pl_err_nomem(err);
		fd = pl_outfile_open(&w->kept, path, err);
		free(path);
		if (fd)
			return -1;
		fd = fcntl(fileno(w->kept.f), F_DUPFD_CLOEXEC, 3);
		w->spool = fd < 0 ? NULL : fdopen(fd, "w+");
		if (!w->spool && fd >= 0)
			close(fd);
	}
	if (w->spool)
		return 0;
	pl_err_errno(err, "cannot keep the capture of %s", w->host);
	pl_outfile_abort(&w->kept);
	return -1;
}

static void close_spool(struct pl_watcher *w)
{
	if (w->spool)
		fclose(w->spool);
	w->spool = NULL;
	pl_outfile_abort(&w->kept); /* unless it has its name by now */
}

int pl_watcher_keep(struct pl_watcher *w, struct pl_err *err)
{
	if (fflush(w->spool) || ferror(w->spool))
		return pl_err_errno(err, "cannot keep the capture of %s", w->host);
	return w->kept.f ? pl_outfile_commit(&w->kept, err) : 0;
}

static int launch(struct pl_watcher *w, const struct pl_watch_options *o, struct pl_err *err)
{
	char *command = make_command(o), **argv;
	int rc = -1;

	if (!command)
		return pl_err_nomem(err);
	argv = pl_launch_argv(o->launch, w->host, command, err);
	if (argv)
		rc = pl_launch_spawn(&w->child, argv, err);
	free(argv);
	free(command);
	return rc;
}

int pl_watcher_start(struct pl_watcher *w, const struct pl_watch_options *o,
		     const struct pl_placement *job, size_t node, struct pl_err *err)
{
	char *list;

	memset(w, 0, sizeof(*w));
	w->host = job->node.v[node].name;
	if (open_spool(w, o, err))
		return -1;
	if (launch(w, o, err)) {
		close_spool(w);
		return -1;
	}
	list = make_list(job);
	if (!list) {
		pl_watcher_fini(w, 0);
		return pl_err_nomem(err);
	}
	/* one that does not read has ended: its output tells more */
	(void)write_all(w->child.in, list, o->stop);
	free(list);
	return 0;
}

static void close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void pl_watcher_close_input(struct pl_watcher *w)
{
	close_fd(&w->child.in);
}

/* The greeting's line is complete. */
static int greet(struct pl_watcher *w, struct pl_err *err)
{
	const size_t len = sizeof(PL_WATCH_GREETING) - 1;
	const char *addresses = NULL;

	if (strncmp(w->line, PL_WATCH_GREETING, len) == 0)
		addresses = strchr(w->line + len, ' ');
	if (!addresses)
		return pl_err_set(err, PL_ESYSTEM, "%s: expected a capture, got \"%.100s\"",
				  w->host, w->line);
	memcpy(w->addresses, addresses + 1, strlen(addresses));
	w->greeted = true;
	return 0;
}

/* What came first: a line. The number of bytes that belong to it, or -1. */
static ssize_t take_greeting(struct pl_watcher *w, const char *data, size_t n, struct pl_err *err)
{
	const char *end = memchr(data, '\n', n);
	const size_t len = end ? (size_t)(end - data) : n;

	if (w->n_line + len >= sizeof(w->line))
		return pl_err_set(err, PL_ESYSTEM,
				  "%s: expected a capture, got a line that is too long", w->host);
	memcpy(w->line + w->n_line, data, len);
	w->n_line += len;
	w->line[w->n_line] = '\0';
	if (!end)
		return (ssize_t)n;
	return greet(w, err) ? -1 : (ssize_t)len + 1;
}

int pl_watcher_read(struct pl_watcher *w, struct pl_err *err)
{
	char data[65536];
	const ssize_t n = read(w->child.out, data, sizeof(data));
	ssize_t used = 0;

	if (n < 0)
		return errno == EINTR || errno == EAGAIN ? 0 : pl_err_errno(err, "%s", w->host);
	if (n == 0) {
		close_fd(&w->child.out);
		return w->greeted ? 0 : pl_watcher_lost(w, err);
	}
	if (!w->greeted)
		used = take_greeting(w, data, (size_t)n, err);
	if (used < 0)
		return -1;
	if (fwrite(data + used, 1, (size_t)(n - used), w->spool) != (size_t)(n - used))
		return pl_err_errno(err, "cannot keep the capture of %s", w->host);
	return 0;
}

void pl_watcher_read_errors(struct pl_watcher *w, void (*log)(const char *host, const char *line))
{
	char data[4096];
	const ssize_t n = read(w->child.err, data, sizeof(data));

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n <= 0) {
		close_fd(&w->child.err);
		return;
	}
	for (ssize_t i = 0; i < n; i++) {
		if (data[i] != '\n' && w->n_error < sizeof(w->error) - 1) {
			/* a new line takes the place of the one before */
			w->error[w->n_error++] = data[i];
			w->error[w->n_error] = '\0';
		} else if (data[i] == '\n') {
			if (log)
				log(w->host, w->error);
			w->n_error = 0;
		}
	}
}

static int collect(pid_t pid, int flags)
{
	int status;
	pid_t got;

	do
		got = waitpid(pid, &status, flags);
	while (got < 0 && errno == EINTR);
	if (got != pid)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

/* Its exit status, or -1: it runs on. */
static int await_end(struct pl_watcher *w, int64_t until_ns)
{
	int status;

	while ((status = collect(w->child.pid, WNOHANG)) < 0 && pl_clock_ns() < until_ns)
		poll(NULL, 0, POLL_MS);
	if (status >= 0)
		w->child.pid = 0;
	return status;
}

/* The last words may still be under way; who goes on and on is not heard
 * out. */
static void read_last_words(struct pl_watcher *w)
{
	const int64_t deadline = pl_clock_ns() + END_MS * (int64_t)1000000;
	struct pollfd fds = {w->child.err, POLLIN, 0};

	while (w->child.err >= 0 && pl_clock_ns() < deadline && poll(&fds, 1, END_MS) > 0)
		pl_watcher_read_errors(w, NULL);
}

int pl_watcher_reap(struct pl_watcher *w, struct pl_err *err)
{
	const int status = await_end(w, pl_clock_ns() + END_MS * (int64_t)1000000);

	if (status < 0)
		return pl_err_set(err, PL_ESYSTEM, "%s: the capture there does not end", w->host);
	if (status == PL_EXIT_PARTIAL)
		read_last_words(w);
	/* what it lost, the numbers of the bytes behind it tell */
	if (status == 0 || (status == PL_EXIT_PARTIAL && strstr(w->error, PL_WATCH_DROPPED)))
		return 0;
	return pl_watcher_lost(w, err);
}

int pl_watcher_lost(struct pl_watcher *w, struct pl_err *err)
{
	read_last_words(w);
	return pl_err_set(err, PL_ESYSTEM, "%s: the capture there has ended: %s", w->host,
			  w->error[0] ? w->error : "it printed no message");
}

void pl_watcher_fini(struct pl_watcher *w, int64_t until_ns)
{
	close_fd(&w->child.in);
	close_fd(&w->child.out);
	close_fd(&w->child.err);
	if (w->child.pid && await_end(w, until_ns) < 0) {
		kill(-w->child.pid, SIGKILL);
		collect(w->child.pid, 0);
		w->child.pid = 0;
	}
	close_spool(w);
}
