/* SPDX-License-Identifier: BSD-3-Clause */
/* listen.c - a hub of several jobs, a process each */
#include "config.h"

#include "src/hub/listen.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/socket.h"
#include "base/stop.h"
#include "base/visitors.h"
#include "lib/parts.h"
#include "lib/service.h"
#include "src/common/tool.h"
#include "src/hub/jobs.h"

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
/* A job that comes anew waits so long for its last run to end, which then is asked to end, and then
 * killed. */
#define END_NS (2 * SECOND_NS)
#define RETRY_MS 50
#define SAID_MAX 10 /* refusals in a second */

/* Who has connected, and is heard. */
struct visit {
	struct pl_visitor visitor;
	struct pl_nonces nonces;
};
struct said {
	struct pl_service_hello hello;
	unsigned char proof[PL_PROOF_BYTES]; /* of both nonces */
};

/* A job that has shown that it knows the secret, now. */
struct guest {
	int fd;
	int64_t until_ns; /* the next step against its last run */
	struct pl_service_hello hello;
	struct pl_nonces nonces;
	char *secret;
};

struct child {
	pid_t pid;
	bool is_asked; /* to end */
	char job[PL_SERVICE_JOB_CHARS];
};

struct listener {
	const struct hub_options *o;
	int fd;
	struct pl_visitors visitors;
	struct guest *guest;
	size_t n_guests, guests_room;
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
static void refuse(struct listener *l, int fd, const char *why)
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
		name_peer(fd, host);
		pl_tool_warn(HUB_TOOL, "refused %s: %s", host, why);
	}
}

static void refuse_for(struct listener *l, int fd, const struct pl_err *err)
{
	struct pl_error why;

	pl_lib_fail(&why, err);
	refuse(l, fd, why.text);
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

static struct child *find_child(const struct listener *l, const char *job)
{
	for (size_t i = 0; i < l->n_children; i++)
		if (strcmp(l->child[i].job, job) == 0)
			return &l->child[i];
	return NULL;
}

/* Rank 0 may have waited long enough; what it has sent is still there. */
static bool has_left(const struct guest *g)
{
	struct pollfd fd = {.fd = g->fd, .events = POLLRDHUP};

	return poll(&fd, 1, 0) > 0;
}

static void drop_guest(struct listener *l, size_t i)
{
	close(l->guest[i].fd);
	free(l->guest[i].secret);
	l->n_guests--;
	memmove(&l->guest[i], &l->guest[i + 1], (l->n_guests - i) * sizeof(l->guest[i]));
}

/* In the child: the hub of one job. Does not return. */
static void be_hub(struct listener *l, const struct guest *g)
{
	char job[PL_SERVICE_JOB_CHARS + 8];
	struct hub_done done = {.calls = 0};
	struct pl_err err = {0};
	int rc;

	pl_stop_on_signals(SIG_DFL);
	prctl(PR_SET_PDEATHSIG, SIGKILL);
	close(l->fd);
	pl_visitors_forget(&l->visitors);
	for (size_t i = 0; i < l->n_guests; i++)
		if (l->guest[i].fd != g->fd)
			close(l->guest[i].fd);
	rc = hub_serve_job(l->o, g->fd, &g->hello, &g->nonces, g->secret, &done, &err);
	snprintf(job, sizeof(job), "job \"%s\": ", g->hello.job);
	if (rc)
		pl_tool_warn(HUB_TOOL, "%s%s", job, err.text);
	else
		hub_say_done(job, &done);
	_exit(rc ? PL_EXIT_SYSTEM : PL_EXIT_DONE);
}

static int begin_job(struct listener *l, const struct guest *g, struct pl_err *err)
{
	void *array = l->child;
	struct child child = {.is_asked = false};

	if (pl_array_grow(&array, &l->children_room, l->n_children, sizeof(child)))
		return pl_err_nomem(err);
	l->child = array;
	memcpy(child.job, g->hello.job, sizeof(child.job));
	child.pid = fork();
	if (child.pid == 0)
		be_hub(l, g);
	if (child.pid < 0)
		return pl_err_errno(err, "no process for a job");
	l->child[l->n_children++] = child;
	return 0;
}

/* The last run of a job that has come anew: what vanished with its machines would stay for as long
 * as TCP has hope. */
static void replace(struct child *last, struct guest *g)
{
	char host[NI_MAXHOST];

	g->until_ns = pl_clock_ns() + END_NS;
	kill(last->pid, last->is_asked ? SIGKILL : HUB_REPLACED);
	if (last->is_asked)
		return;
	last->is_asked = true;
	name_peer(g->fd, host);
	pl_tool_warn(HUB_TOOL, "job \"%s\" comes anew, from %s: its last run ends", last->job,
		     host);
}

/* Lets jobs begin whose names are free; the hub of the last run may just be about to end. */
static void let_begin(struct listener *l)
{
	for (size_t i = 0; i < l->n_guests;) {
		struct guest *g = &l->guest[i];
		struct child *last = find_child(l, g->hello.job);
		struct pl_err err = {0};

		if (last && !has_left(g)) {
			if (pl_clock_ns() >= g->until_ns)
				replace(last, g);
			i++;
			continue;
		}
		if (!last && begin_job(l, g, &err))
			refuse_for(l, g->fd, &err);
		drop_guest(l, i);
	}
}

/* The hello is there: who knows the secret is to prove it by a new nonce. */
static enum pl_visit greet(struct listener *l, struct visit *visit)
{
	struct pl_visitor *v = &visit->visitor;
	const struct pl_service_hello *h = &((struct said *)v->said)->hello;
	struct pl_err err = {0};
	char *secret = NULL;
	int rc = pl_service_check(h, &err);

	if (rc == 0 && !(secret = hub_jobs_secret(l->o->jobs, h->job, &err)))
		rc = -1;
	if (rc == 0 && !pl_service_is_proved(h, secret))
		rc = pl_err_set(&err, PL_EINPUT, "job \"%s\": another secret", h->job);
	if (rc == 0 && !pl_service_challenge(v->fd, h, secret, &visit->nonces))
		rc = pl_err_errno(&err, "job \"%s\"", h->job);
	free(secret);
	if (rc) {
		refuse_for(l, v->fd, &err);
		return PL_VISIT_ENDS;
	}
	v->is_known = true;
	v->want = sizeof(struct said);
	return PL_VISIT_GOES_ON;
}

/* All is there: a job to be served. */
static enum pl_visit take(struct listener *l, const struct visit *visit)
{
	const struct pl_visitor *v = &visit->visitor;
	const struct said *said = (const struct said *)v->said;
	struct guest g = {.fd = v->fd,
			  .until_ns = pl_clock_ns() + END_NS,
			  .hello = said->hello,
			  .nonces = visit->nonces};
	struct pl_err err = {0};
	void *array = l->guest;
	int rc = 0;

	g.secret = hub_jobs_secret(l->o->jobs, g.hello.job, &err);
	if (!g.secret)
		rc = -1;
	else if (!pl_service_is_answered(&g.hello, &g.nonces, g.secret, said->proof))
		rc = pl_err_set(&err, PL_EINPUT,
				"job \"%s\": no proof of this nonce, as if recorded earlier",
				g.hello.job);
	else if (pl_array_grow(&array, &l->guests_room, l->n_guests, sizeof(g)))
		rc = pl_err_nomem(&err);
	if (rc) {
		free(g.secret);
		refuse_for(l, v->fd, &err);
		return PL_VISIT_ENDS;
	}
	l->guest = array;
	l->guest[l->n_guests++] = g;
	return PL_VISIT_IS_TAKEN;
}

static enum pl_visit hear(void *with, struct pl_visitor *v)
{
	struct visit *visit = (struct visit *)v;

	return v->want == sizeof(struct said) ? take(with, visit) : greet(with, visit);
}

static void drop(void *with, const struct pl_visitor *v, const char *why)
{
	refuse(with, v->fd, why);
}

/* Waits for a second at most. */
static void step(struct listener *l)
{
	const int64_t wait_ns = l->n_guests > 0 ? RETRY_MS * SECOND_NS / 1000 : SECOND_NS;

	pl_visitors_hear(&l->visitors, -1, 0, pl_clock_ns() + wait_ns);
	reap(l);
	let_begin(l);
}

static int listen_until_asked_to_end(struct listener *l, struct pl_err *err)
{
	const struct pl_hearer hearer = {.size = sizeof(struct visit),
					 .first = sizeof(struct pl_service_hello),
					 .patience_ns = PL_VISITOR_NS,
					 .hear = hear,
					 .drop = drop,
					 .with = l};

	if (pl_visitors_init(&l->visitors, l->fd, &hearer, err))
		return -1;
	pl_stop_on_signals(on_signal);
	while (!is_asked_to_end)
		step(l);
	while (l->n_guests > 0)
		drop_guest(l, 0);
	pl_visitors_fini(&l->visitors);
	return 0;
}

int hub_listen(const struct hub_options *o, struct pl_err *err)
{
	const int n = hub_jobs_count(o->jobs, err);
	struct listener l = {.o = o};
	int rc;

	if (n < 0)
		return -1;
	if (n == 0)
		pl_tool_warn(
			HUB_TOOL,
			"%s: no job stands here as yet; the file is read again whenever one comes",
			o->jobs);
	l.fd = pl_socket_listen(o->listen, err);
	if (l.fd < 0)
		return -1;
	rc = listen_until_asked_to_end(&l, err);
	close(l.fd);
	free(l.guest);
	free(l.child);
	return rc;
}
