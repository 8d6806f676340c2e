/* SPDX-License-Identifier: BSD-3-Clause */
/* listen.c - a hub of several jobs, a process each */
#include "config.h"

#include "src/hub/listen.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/stop.h"
#include "base/text/text.h"
#include "lib/service.h"
#include "lib/socket.h"
#include "src/common/tool.h"

#include <errno.h>
#include <netdb.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#define SECOND_NS ((int64_t)1000 * 1000 * 1000)
/* who has connected must say who it is within this time */
#define HELLO_NS (2 * SECOND_NS)
#define VISITORS_MAX 1024 /* more have the oldest one go */
#define RETRY_MS 50
#define SAID_MAX 10 /* refusals in a second */
#define JOBS_BYTES_MAX (1 << 20)

struct visitor {
	int fd;
	int64_t deadline_ns;
	struct said {
		struct pl_service_hello hello;
		unsigned char proof[PL_PROOF_BYTES]; /* of both nonces */
	} said;
	size_t got; /* bytes of it; all: waits for the end of an earlier job */
	struct pl_nonces nonces;
};

struct child {
	pid_t pid;
	char job[PL_SERVICE_JOB_CHARS];
};

struct listener {
	const struct hub_options *o;
	int fd;
	struct visitor visitor[VISITORS_MAX]; /* n of them, the oldest first */
	size_t n;
	struct child *child;
	size_t n_children, children_room;
	size_t n_refused; /* since second_ns */
	int64_t second_ns;
};

static volatile sig_atomic_t is_asked_to_end;

static void on_signal(int signal)
{
	(void)signal;
	is_asked_to_end = 1;
}

static void drop(struct listener *l, size_t i)
{
	close(l->visitor[i].fd);
	l->n--;
	memmove(&l->visitor[i], &l->visitor[i + 1], (l->n - i) * sizeof(l->visitor[i]));
}

/* Who is at the other end. */
static void name_peer(int fd, char host[NI_MAXHOST])
{
	struct sockaddr_storage from;
	socklen_t length = sizeof(from);

	snprintf(host, NI_MAXHOST, "somebody");
	if (getpeername(fd, (struct sockaddr *)&from, &length) == 0)
		getnameinfo((struct sockaddr *)&from, length, host, NI_MAXHOST, NULL, 0,
			    NI_NUMERICHOST);
}

/* Says why, not too often. */
static void refuse(struct listener *l, size_t i, const char *why)
{
	const int64_t now_ns = pl_clock_ns();
	char host[NI_MAXHOST];

	if (l->second_ns == 0 || now_ns - l->second_ns > SECOND_NS) {
		if (l->n_refused > SAID_MAX)
			pl_tool_warn(HUB_TOOL, "refused %zu more", l->n_refused - SAID_MAX);
		l->second_ns = now_ns;
		l->n_refused = 0;
	}
	if (++l->n_refused <= SAID_MAX) {
		name_peer(l->visitor[i].fd, host);
		pl_tool_warn(HUB_TOOL, "refused %s: %s", host, why);
	}
	drop(l, i);
}

/* The secret of a job, the second word of its line; NULL with @err set: none.
 * The caller frees it. */
static char *find_secret(const char *path, const char *job, struct pl_err *err)
{
	struct pl_text text;
	struct pl_line line;
	struct pl_word word;
	char *secret = NULL;

	if (pl_text_load_file(&text, path, JOBS_BYTES_MAX, err))
		return NULL;
	while (!secret && pl_text_next(&text, &line))
		if (pl_line_next(&line, &word) && pl_word_is(&word, job) &&
		    pl_line_next(&line, &word))
			secret = pl_string_copy(word.s, word.len);
	pl_text_fini(&text);
	if (!secret)
		pl_err_set(err, PL_EINPUT, "no job \"%s\"", job);
	return secret;
}

/* The children that have ended. */
static void reap(struct listener *l)
{
	pid_t pid;

	while ((pid = waitpid(-1, NULL, WNOHANG)) > 0)
		for (size_t i = 0; i < l->n_children; i++)
			if (l->child[i].pid == pid)
				l->child[i--] = l->child[--l->n_children];
}

static bool is_here(const struct listener *l, const char *job)
{
	for (size_t i = 0; i < l->n_children; i++)
		if (strcmp(l->child[i].job, job) == 0)
			return true;
	return false;
}

/* In the child: the hub of one job. Does not return. */
static void be_hub(const struct listener *l, const struct visitor *v, const char *secret,
		   const char *why)
{
	char job[PL_SERVICE_JOB_CHARS + 8];
	struct hub_done done = {.calls = 0};
	struct pl_err err = {0};
	int rc;

	pl_stop_on_signals(SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(l->fd);
	for (size_t i = 0; i < l->n; i++)
		if (l->visitor[i].fd != v->fd)
			close(l->visitor[i].fd);
	rc = hub_serve_job(l->o, v->fd, &v->said.hello, &v->nonces, secret, why, &done, &err);
	snprintf(job, sizeof(job), "job \"%s\": ", v->said.hello.job);
	if (rc)
		pl_tool_warn(HUB_TOOL, "%s%s", job, err.text);
	else
		hub_say_done(job, &done);
	_exit(rc ? PL_EXIT_SYSTEM : PL_EXIT_DONE);
}

/* A job that is here already is told so by a child, too, which first reads what
 * it has sent. */
static int begin_job(struct listener *l, const struct visitor *v, const char *secret,
		     struct pl_err *err)
{
	const bool again = is_here(l, v->said.hello.job);
	void *array = l->child;
	struct child child;

	if (pl_array_grow(&array, &l->children_room, l->n_children, sizeof(child)))
		return pl_err_nomem(err);
	l->child = array;
	memcpy(child.job, v->said.hello.job, sizeof(child.job));
	child.pid = fork();
	if (child.pid == 0)
		be_hub(l, v, secret, again ? "this job is here already" : NULL);
	if (child.pid < 0)
		return pl_err_errno(err, "no process for a job");
	if (!again)
		l->child[l->n_children++] = child;
	return 0;
}

/* The hello is there: who knows the secret is to prove it by a new nonce. */
static void greet(struct listener *l, size_t i)
{
	struct visitor *v = &l->visitor[i];
	const struct pl_service_hello *h = &v->said.hello;
	struct pl_err err = {0};
	char *secret = NULL;
	int rc = pl_service_check(h, &err);

	if (rc == 0 && !(secret = find_secret(l->o->jobs, h->job, &err)))
		rc = -1;
	if (rc == 0 && !pl_service_is_proved(h, secret))
		rc = pl_err_set(&err, PL_EINPUT, "job \"%s\": another secret", h->job);
	if (rc == 0 && !pl_service_challenge(v->fd, h, secret, &v->nonces))
		rc = pl_err_errno(&err, "job \"%s\"", h->job);
	free(secret);
	if (rc)
		refuse(l, i, err.text);
}

/* All is there. A job whose name is taken waits, for the hub of the last run
 * may just be about to end. */
static void take(struct listener *l, size_t i)
{
	const struct visitor *v = &l->visitor[i];
	const struct pl_service_hello *h = &v->said.hello;
	struct pl_err err = {0};
	char *secret;
	int rc;

	reap(l);
	secret = find_secret(l->o->jobs, h->job, &err);
	if (!secret)
		rc = -1;
	else if (!pl_service_is_answered(h, &v->nonces, secret, v->said.proof))
		rc = pl_err_set(&err, PL_EINPUT,
				"job \"%s\": no proof of this nonce, as if "
				"recorded earlier",
				h->job);
	else if (is_here(l, h->job) && pl_clock_ns() < v->deadline_ns)
		rc = 1;
	else
		rc = begin_job(l, v, secret, &err);
	free(secret);
	if (rc < 0)
		refuse(l, i, err.text);
	else if (rc == 0)
		drop(l, i);
}

/* Reads on. */
static void hear(struct listener *l, size_t i)
{
	struct visitor *v = &l->visitor[i];
	const size_t want =
		v->got < sizeof(v->said.hello) ? sizeof(v->said.hello) : sizeof(v->said);
	const ssize_t n = recv(v->fd, (char *)&v->said + v->got, want - v->got, 0);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		drop(l, i);
		return;
	}
	v->got += (size_t)n;
	if (v->got == sizeof(v->said.hello))
		greet(l, i);
	else if (v->got == sizeof(v->said))
		take(l, i);
}

static void let_in(struct listener *l)
{
	int fd;

	while ((fd = accept4(l->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC)) >= 0) {
		if (l->n == VISITORS_MAX)
			drop(l, 0);
		l->visitor[l->n++] =
			(struct visitor){.fd = fd, .deadline_ns = pl_clock_ns() + HELLO_NS};
	}
	if (errno == EMFILE && l->n > 0)
		drop(l, 0);
}

static bool is_complete(const struct visitor *v)
{
	return v->got == sizeof(v->said);
}

/* Who has said nothing for too long. */
static void expire(struct listener *l)
{
	const int64_t now_ns = pl_clock_ns();

	while (l->n > 0 && l->visitor[0].deadline_ns <= now_ns)
		if (is_complete(&l->visitor[0]))
			take(l, 0);
		else
			refuse(l, 0, "says nothing");
}

/* Waits for a second at most. */
static int step(struct listener *l, struct pl_err *err)
{
	struct pollfd fd[1 + VISITORS_MAX];
	int wait_ms = 1000;

	reap(l);
	expire(l);
	fd[0] = (struct pollfd){.fd = l->fd, .events = POLLIN};
	for (size_t i = 0; i < l->n; i++) {
		const bool waits = is_complete(&l->visitor[i]);

		fd[1 + i] = (struct pollfd){.fd = waits ? -1 : l->visitor[i].fd, .events = POLLIN};
		wait_ms = waits ? RETRY_MS : wait_ms;
	}
	if (poll(fd, 1 + l->n, wait_ms) < 0)
		return errno == EINTR ? 0 : pl_err_errno(err, "cannot wait");
	for (size_t i = l->n; i-- > 0;)
		if (is_complete(&l->visitor[i]))
			take(l, i);
		else if (fd[1 + i].revents)
			hear(l, i);
	if (fd[0].revents)
		let_in(l);
	return 0;
}

int hub_listen(const struct hub_options *o, struct pl_err *err)
{
	struct listener *l;
	struct pl_text text;
	int rc = 0;

	if (pl_text_load_file(&text, o->jobs, JOBS_BYTES_MAX, err))
		return -1;
	pl_text_fini(&text);
	l = calloc(1, sizeof(*l));
	if (!l)
		return pl_err_nomem(err);
	l->o = o;
	l->fd = pl_socket_listen(o->listen, err);
	if (l->fd >= 0) {
		pl_stop_on_signals(on_signal);
		while (rc == 0 && !is_asked_to_end)
			rc = step(l, err);
		while (l->n > 0)
			drop(l, 0);
		close(l->fd);
	} else {
		rc = -1;
	}
	free(l->child);
	free(l);
	return rc;
}
