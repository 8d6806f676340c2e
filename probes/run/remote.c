/* SPDX-License-Identifier: BSD-3-Clause */
/* remote.c - one host's agent as its coordinator sees it */
#include "config.h"

#include "probes/run/remote.h"

#include "base/clock.h"
#include "probes/launch/launch.h"

#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SKIPPED_MAX 1000 /* lines of banners */
#define S INT64_C(1000000000)
#define CLOSING_NS S
#define TRIES_MAX 8                 /* of a start that is dropped, ... */
#define AGAIN_NS INT64_C(200000000) /* ... each so much later than the last */

void pl_remote_init(struct pl_remote *r, const char *name)
{
	memset(r, 0, sizeof(*r));
	r->name = name;
	r->child.in = r->child.out = r->child.err = -1;
}

bool pl_remote_again(struct pl_remote *r, struct pl_starts *starts, int64_t now_ns)
{
	const unsigned tries = r->tries + 1;
	const char *user = r->user;
	const size_t n = (r->n_beside + 1) / 2; /* 1 beside 1 or 2 */

	if (r->greeted || !r->fault || !r->fault->again || r->child.pid != 0 || tries > TRIES_MAX)
		return false;
	if (r->n_beside > 0 && n < starts->fanout)
		starts->fanout = n;
	starts->n_waiting++;
	pl_remote_init(r, r->name);
	r->user = user;
	r->tries = tries;
	r->started_ns = now_ns + tries * AGAIN_NS;
	return true;
}

bool pl_remote_is_due(const struct pl_remote *r, int64_t now_ns)
{
	return r->state == PL_REMOTE_NEW && r->tries > 0 && now_ns >= r->started_ns;
}

bool pl_remote_is_lost(const struct pl_remote *r)
{
	return r->reason[0] != '\0';
}

void pl_remote_close(struct pl_remote *r)
{
	pl_child_close(&r->child.in);
	pl_child_close(&r->child.out);
	pl_child_close(&r->child.err);
}

void pl_remote_signal(const struct pl_remote *r, int signal)
{
	if (r->child.pid > 0)
		kill(-r->child.pid, signal); /* the group it leads */
}

void pl_remote_lose(struct pl_remote *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->reason, sizeof(r->reason), fmt, ap);
	va_end(ap);
	pl_text_tame(r->reason);
	r->state = PL_REMOTE_GONE;
	r->waiting_for = NULL;
	pl_remote_close(r);
	pl_remote_signal(r, SIGTERM);
}

int pl_remote_start(struct pl_remote *r, const char *template, const char *command,
		    int64_t deadline_ns)
{
	struct pl_err err = {0};
	char *as = r->user ? pl_launch_as(template, r->user, &err) : NULL;
	char **argv = NULL;

	if (as || !r->user)
		argv = pl_launch_argv(as ? as : template, r->name, command, &err);
	free(as);
	if (!argv || pl_launch_spawn(&r->child, argv, &err)) {
		r->child.pid = 0;
		r->child.in = r->child.out = r->child.err = -1;
		pl_remote_lose(r, "%s", err.text);
		free(argv);
		return -1;
	}
	free(argv);
	r->state = PL_REMOTE_UP;
	r->started_ns = pl_clock_ns();
	pl_remote_expect(r, "start", deadline_ns);
	return 0;
}

void pl_remote_expect(struct pl_remote *r, const char *what, int64_t deadline_ns)
{
	r->waiting_for = what;
	r->deadline_ns = deadline_ns;
}

bool pl_remote_push(struct pl_remote *r)
{
	if (pl_child_push(r->child.in, &r->push, &r->push_len))
		r->push_len = 0;
	return r->push_len > 0;
}

static int send_line(struct pl_remote *r, const char *line, size_t len)
{
	ssize_t put;

	if (r->child.in < 0)
		return 0; /* its output has ended: that will tell why */
	if (r->push_len > 0) {
		pl_remote_lose(r, "answered before its agent was sent completely");
		return -1;
	}
	do
		put = write(r->child.in, line, len);
	while (put < 0 && errno == EINTR);
	if (put == (ssize_t)len)
		return 0;
	if (put < 0 && errno == EPIPE)
		return 0; /* its output's end will tell why */
	pl_remote_lose(r, "does not take commands");
	return -1;
}

int pl_remote_tell(struct pl_remote *r, const struct pl_msg *msg)
{
	char line[PL_LINE_CHARS];
	const size_t len = pl_msg_format(msg, line);

	return send_line(r, line, len);
}

static void greet(struct pl_remote *r, const struct pl_msg *msg)
{
	r->greeted = true;
	r->fault = NULL;
	if (msg->protocol == PL_PROTOCOL)
		return;
	r->fault = pl_launch_fault_version();
	pl_remote_lose(r, "its plink-agent %s speaks protocol %" PRId64 ", this plink %s speaks %d",
		       msg->text, msg->protocol, PACKAGE_VERSION, PL_PROTOCOL);
}

void pl_remote_print(struct pl_remote *r, const char line[PL_LINE_CHARS])
{
	if (line[0])
		memcpy(r->printed, line, PL_LINE_CHARS);
	pl_text_tame(r->printed);
}

const char *pl_remote_words(const struct pl_remote *r)
{
	return r->said[0] || r->greeted ? r->said : r->printed;
}

/* Before the greeting: banners of shells and launchers. */
static void skip(struct pl_remote *r, const char line[PL_LINE_CHARS])
{
	pl_remote_print(r, line);
	if (++r->n_skipped > SKIPPED_MAX)
		pl_remote_lose(r, "no plink-agent in its first %d lines", SKIPPED_MAX);
}

static void take_verbs(struct pl_remote *r, const struct pl_verbs *verbs)
{
	if (r->verbs.kind == PL_VERBS_NONE || verbs->kind < r->verbs.kind)
		r->verbs = *verbs;
}

static void take_offer(struct pl_remote *r, const struct pl_msg *msg)
{
	if (msg->kind == PL_MSG_NODE)
		memcpy(r->node, msg->text, sizeof(r->node));
	else if (msg->kind == PL_MSG_ADDR && r->n_addr < PL_ADDRS_MAX)
		r->addr[r->n_addr++] = msg->addr;
	else if (msg->kind == PL_MSG_REACHED)
		r->reached = msg->addr;
	else if (msg->kind == PL_MSG_VERBS)
		take_verbs(r, &msg->verbs);
	else if (msg->kind == PL_MSG_ERROR)
		pl_remote_lose(r, "its agent: %s", msg->text);
	else if (msg->kind != PL_MSG_READY || r->n_addr == 0)
		pl_remote_lose(r, "its agent's greeting is not understood");
	else
		r->ready = true;
	if (r->ready)
		r->waiting_for = NULL;
}

int pl_remote_next(struct pl_remote *r, struct pl_msg *msg)
{
	char line[PL_LINE_CHARS];
	int have;

	while (!pl_remote_is_lost(r) && (have = pl_lines_next(&r->lines, line)) != 0) {
		const bool is_strange = have < 0 || pl_msg_parse(line, strlen(line), msg);

		if (!r->greeted) {
			if (!is_strange && msg->kind == PL_MSG_HELLO)
				greet(r, msg);
			else
				skip(r, have > 0 ? line : "");
		} else if (is_strange && r->ending) {
			continue; /* a shell or a launcher takes its leave */
		} else if (is_strange) {
			pl_text_tame(line);
			pl_remote_lose(r, "its agent said \"%.60s\"",
				       have > 0 ? line : "too long a line");
		} else if (!r->ready) {
			take_offer(r, msg);
		} else if (msg->kind == PL_MSG_PONG && r->asked) {
			r->asked = false;
		} else if (msg->kind == PL_MSG_ERROR) {
			pl_remote_lose(r, "its agent: %s", msg->text);
		} else {
			return 1;
		}
	}
	return pl_remote_is_lost(r) ? -1 : 0;
}

void pl_remote_read(struct pl_remote *r, int64_t now_ns)
{
	const enum pl_lines_got got = pl_lines_fill(&r->lines, r->child.out);

	if (got == PL_LINES_DATA)
		pl_silence_break(&r->silence, now_ns);
	if (got != PL_LINES_END)
		return;
	pl_child_close(&r->child.in);
	pl_child_close(&r->child.out);
	r->state = PL_REMOTE_CLOSING;
	r->deadline_ns = now_ns + CLOSING_NS;
}

bool pl_remote_fill_errors(struct pl_remote *r)
{
	enum pl_lines_got got;

	if (r->child.err < 0)
		return false;
	got = pl_lines_fill(&r->errors, r->child.err);
	if (got == PL_LINES_END)
		pl_child_close(&r->child.err);
	return got == PL_LINES_DATA;
}

/* Keeps the line that tells most. */
static void hear(struct pl_remote *r, const char line[PL_LINE_CHARS])
{
	const struct pl_launch_fault *fault = r->greeted ? NULL : pl_launch_fault_of(line);

	if (r->fault && (!fault || fault >= r->fault))
		return;
	r->fault = fault;
	memcpy(r->said, line, PL_LINE_CHARS);
}

bool pl_remote_next_error(struct pl_remote *r, char line[PL_LINE_CHARS])
{
	int have;

	while ((have = pl_lines_next(&r->errors, line)) != 0) {
		if (have < 0 || !line[0])
			continue;
		pl_text_tame(line);
		hear(r, line);
		return true;
	}
	return false;
}

/* "ended with status 255: ssh: connect to host ...". */
static void explain(struct pl_remote *r)
{
	const char *words = pl_remote_words(r);
	const char *colon = words[0] ? ": " : "";

	if (!r->fault && !r->greeted && WIFEXITED(r->status))
		r->fault = pl_launch_fault_status(WEXITSTATUS(r->status), words);
	if (WIFSIGNALED(r->status))
		pl_remote_lose(r, "its agent was ended by signal %d%s%.300s", WTERMSIG(r->status),
			       colon, words);
	else if (WEXITSTATUS(r->status) == 0 && r->greeted)
		pl_remote_lose(r, "its agent's input ended: does the launcher pass it on?");
	else
		pl_remote_lose(r, "its agent ended with status %d%s%.300s", WEXITSTATUS(r->status),
			       colon, words);
}

bool pl_remote_reap(struct pl_remote *r)
{
	pid_t got;

	if (r->child.pid == 0)
		return true;
	got = waitpid(r->child.pid, &r->status, WNOHANG);
	if (got == 0)
		return false;
	r->has_status = got > 0; /* or somebody else has reaped it */
	r->child.pid = 0;
	return true;
}

void pl_remote_settle(struct pl_remote *r)
{
	if (r->ending) {
		r->state = PL_REMOTE_GONE;
		r->waiting_for = NULL;
		pl_remote_close(r);
	} else if (r->has_status) {
		explain(r);
	} else {
		pl_remote_lose(r, "its agent closed its output");
	}
}
