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

void pl_remote_init(struct pl_remote *r, const char *name)
{
	memset(r, 0, sizeof(*r));
	r->name = name;
	r->role = "its agent";
	r->child.in = r->child.out = r->child.err = -1;
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
	if (r->by && r->open)
		pl_carrier_send(r->by, PL_FRAME_CLOSE, r->channel, NULL, 0);
	r->open = false;
}

void pl_remote_signal(const struct pl_remote *r, int signal)
{
	const uint8_t number = (uint8_t)signal;

	if (r->child.pid > 0)
		kill(-r->child.pid, signal); /* the group it leads */
	else if (r->by && r->running)
		pl_carrier_send(r->by, PL_FRAME_SIGNAL, r->channel, &number, sizeof(number));
}

/* Whom it is reached by, unless that is the same host. */
static void tell_way(struct pl_remote *r)
{
	const size_t len = strlen(r->reason);

	if (r->by && strcmp(r->by->host, r->name) != 0)
		snprintf(r->reason + len, sizeof(r->reason) - len, " (by way of %s)", r->by->host);
}

void pl_remote_lose(struct pl_remote *r, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(r->reason, sizeof(r->reason), fmt, ap);
	va_end(ap);
	tell_way(r);
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
	char **argv = pl_launch_argv(template, r->name, command, &err);

	if (!argv || pl_launch_spawn(&r->child, argv, &err)) {
		r->child.pid = 0;
		r->child.in = r->child.out = r->child.err = -1;
		pl_remote_lose(r, "%s", err.text);
		free(argv);
		return -1;
	}
	free(argv);
	r->state = PL_REMOTE_UP;
	pl_remote_expect(r, "start", deadline_ns);
	return 0;
}

int pl_remote_start_by(struct pl_remote *r, struct pl_carrier *by, uint16_t channel,
		       char *const argv[], bool push, int64_t deadline_ns)
{
	r->by = by;
	r->channel = channel;
	if (pl_carrier_start(by, channel, push, argv)) {
		pl_remote_lose(r, "its relay does not take its command");
		return -1;
	}
	r->open = r->running = true;
	r->state = PL_REMOTE_UP;
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

static int send_by(struct pl_remote *r, const char *line, size_t len)
{
	if (r->state != PL_REMOTE_UP ||
	    !pl_carrier_send(r->by, PL_FRAME_INPUT, r->channel, line, len))
		return 0;
	pl_remote_lose(r, "its relay does not take commands");
	return -1;
}

static int send_line(struct pl_remote *r, const char *line, size_t len)
{
	ssize_t put;

	if (r->by)
		return send_by(r, line, len);
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
	const size_t len = r->fping ? pl_fping_tell(r->fping, msg, pl_clock_ns(), line)
				    : pl_msg_format(msg, line);

	return len > 0 ? send_line(r, line, len) : 0;
}

/* What came, in the words of an agent. A shell may have to be told something in
 * turn, which can lose the remote. */
static enum pl_fping_heard understand(struct pl_remote *r, const char *line, struct pl_msg *msg)
{
	char answer[PL_LINE_CHARS];
	enum pl_fping_heard heard;
	size_t len;

	if (!r->fping)
		return pl_msg_parse(line, strlen(line), msg) ? PL_FPING_STRANGE : PL_FPING_MESSAGE;
	heard = pl_fping_hear(r->fping, line, pl_clock_ns(), msg, answer, &len);
	if (len > 0)
		send_line(r, answer, len);
	return heard;
}

static void greet(struct pl_remote *r, const struct pl_msg *msg)
{
	if (msg->protocol != PL_PROTOCOL)
		pl_remote_lose(r,
			       "its plink-agent %s speaks protocol %" PRId64
			       ", this plink %s speaks %d",
			       msg->text, msg->protocol, PACKAGE_VERSION, PL_PROTOCOL);
	r->greeted = true;
}

/* Before the greeting: banners of shells and launchers. */
static void skip(struct pl_remote *r)
{
	if (++r->n_skipped > SKIPPED_MAX)
		pl_remote_lose(r, "no %s in its first %d lines",
			       r->fping ? "shell that runs fping" : "plink-agent", SKIPPED_MAX);
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
	else if (msg->kind == PL_MSG_VERBS)
		take_verbs(r, &msg->verbs);
	else if (msg->kind == PL_MSG_ERROR)
		pl_remote_lose(r, "%s: %s", r->role, msg->text);
	else if (r->relays ? msg->kind != PL_MSG_RELAY
			   : msg->kind != PL_MSG_READY || r->n_addr == 0)
		pl_remote_lose(r, "%s's greeting is not understood", r->role);
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
		const enum pl_fping_heard heard =
			have > 0 ? understand(r, line, msg) : PL_FPING_STRANGE;

		if (!r->greeted) {
			if (heard == PL_FPING_MESSAGE && msg->kind == PL_MSG_HELLO)
				greet(r, msg);
			else
				skip(r);
		} else if (heard == PL_FPING_MORE) {
			continue;
		} else if (heard == PL_FPING_STRANGE && r->ending) {
			continue; /* a shell or a launcher takes its leave */
		} else if (heard == PL_FPING_STRANGE) {
			pl_text_tame(line);
			pl_remote_lose(r, "%s said \"%.60s\"", r->role,
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
	else if (got == PL_LINES_END)
		pl_remote_end(r, now_ns);
}

size_t pl_remote_put(struct pl_remote *r, const void *data, size_t len, int64_t now_ns)
{
	pl_silence_break(&r->silence, now_ns);
	return pl_lines_put(&r->lines, data, len);
}

void pl_remote_end(struct pl_remote *r, int64_t now_ns)
{
	pl_child_close(&r->child.in);
	pl_child_close(&r->child.out);
	r->state = PL_REMOTE_CLOSING;
	r->deadline_ns = now_ns + CLOSING_NS;
}

/* A shell that runs fping hears nothing meanwhile. */
int64_t pl_remote_patience(const struct pl_remote *r)
{
	return PL_SILENCE_LOST_S * S + (r->fping ? pl_fping_deaf_ns(r->fping) : 0);
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

bool pl_remote_next_error(struct pl_remote *r, char line[PL_LINE_CHARS])
{
	int have;

	while ((have = pl_lines_next(&r->errors, line)) != 0) {
		if (have < 0 || !line[0])
			continue;
		pl_text_tame(line);
		memcpy(r->said, line, PL_LINE_CHARS);
		return true;
	}
	return false;
}

/* "ended with status 255: ssh: connect to host ...". */
static void explain(struct pl_remote *r)
{
	const char *colon = r->said[0] ? ": " : "";

	if (WIFSIGNALED(r->status))
		pl_remote_lose(r, "%s was ended by signal %d%s%.300s", r->role, WTERMSIG(r->status),
			       colon, r->said);
	else if (WEXITSTATUS(r->status) == 0 && r->greeted)
		pl_remote_lose(r,
			       "%s's input ended: does the launcher pass it "
			       "on?",
			       r->role);
	else
		pl_remote_lose(r, "%s ended with status %d%s%.300s", r->role,
			       WEXITSTATUS(r->status), colon, r->said);
}

bool pl_remote_reap(struct pl_remote *r)
{
	pid_t got;

	if (r->child.pid == 0)
		return !r->running;
	got = waitpid(r->child.pid, &r->status, WNOHANG);
	if (got == 0)
		return false;
	r->has_status = got > 0; /* or somebody else has reaped it */
	r->child.pid = 0;
	return true;
}

void pl_remote_ended_by(struct pl_remote *r, int status)
{
	r->has_status = true;
	r->status = status;
	r->open = r->running = false;
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
		pl_remote_lose(r, "%s closed its output", r->role);
	}
}
