/* SPDX-License-Identifier: BSD-3-Clause */
/* hooks.c - runs the user's commands beside one another */
#include "config.h"

#include "planner/srift/watch/hooks.h"

#include "base/spawn.h"
#include "base/text/scratch.h"
#include "planner/srift/watch/progress.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

/* Is the variable of "NAME=..." among those of @env? */
static bool is_among(const char *variable, const struct pl_words *env)
{
	const size_t len = strcspn(variable, "=") + 1;

	for (size_t i = 0; i < env->n; i++)
		if (strncmp(variable, env->v[i], len) == 0)
			return true;
	return false;
}

/* An unnamed file, not inherited but as standard output. */
static int open_out(struct pl_err *err)
{
	FILE *f = pl_scratch_open();
	int fd = -1;

	if (f) {
		fd = fcntl(fileno(f), F_DUPFD_CLOEXEC, 3);
		fclose(f);
	}
	if (fd < 0)
		pl_err_errno(err, "cannot make a temporary file");
	return fd;
}

int pl_hook_start(struct pl_hook *h, const char *command, const struct pl_words *env,
		  int64_t end_ns, struct pl_err *err)
{
	char *argv[] = {"/bin/sh", "-c", (char *)(uintptr_t)command, NULL};
	struct pl_words all = {0};
	int rc = ENOMEM;

	*h = (struct pl_hook){.end_ns = end_ns, .out = open_out(err)};
	if (h->out < 0)
		return -1;
	for (char **v = environ; *v; v++)
		if (!is_among(*v, env))
			pl_words_add(&all, *v);
	pl_words_add_all(&all, env->v, env->n);
	if (!all.failed && !env->failed)
		rc = pl_spawn(&(struct pl_spawn){.argv = argv,
						 .env = all.v,
						 .fd = {PL_SPAWN_NULL, h->out, PL_SPAWN_SAME},
						 .own_group = true},
			      &h->pid);
	pl_words_fini(&all);
	if (rc == 0)
		return 0;
	close(h->out);
	*h = (struct pl_hook){.out = -1};
	errno = rc;
	return pl_err_errno(err, "cannot start /bin/sh");
}

/* The leader has ended but is not collected, so its group's number is still its. */
static bool has_ended(const struct pl_hook *h)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)h->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
	       info.si_pid == h->pid;
}

static int collect(struct pl_hook *h)
{
	int status = 0;

	if (h->expired)
		kill(-h->pid, SIGKILL);
	while (waitpid(h->pid, &status, 0) < 0 && errno == EINTR)
		;
	h->pid = 0;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static int read_output(struct pl_hook *h, const char *name, struct pl_text *output,
		       struct pl_err *err)
{
	char *data = malloc(PL_HOOK_OUT_MAX + 1);
	ssize_t got = 0;
	size_t len = 0;
	int rc = -1;

	if (!data)
		return pl_err_nomem(err);
	while (len <= PL_HOOK_OUT_MAX &&
	       (got = pread(h->out, data + len, PL_HOOK_OUT_MAX + 1 - len, (off_t)len)) > 0)
		len += (size_t)got;
	if (got < 0)
		pl_err_errno(err, "cannot read what %s printed", name);
	else if (len > PL_HOOK_OUT_MAX)
		pl_err_set(err, PL_EINPUT, "%s: it printed more than %zu bytes", name,
			   PL_HOOK_OUT_MAX);
	else if (memchr(data, 0, len))
		pl_err_set(err, PL_EINPUT, "%s: it printed a zero byte", name);
	else
		rc = pl_text_copy(output, name, data, len, err);
	free(data);
	return rc;
}

int pl_hook_poll(struct pl_hook *h, const char *name, int64_t now_ns, struct pl_hook_end *end,
		 struct pl_err *err)
{
	int rc;

	if (!has_ended(h)) {
		if (now_ns >= h->end_ns) {
			kill(-h->pid, h->expired ? SIGKILL : SIGTERM);
			h->expired = true;
			h->end_ns = now_ns + PL_HOOK_GRACE_NS;
		}
		return 0;
	}
	*end = (struct pl_hook_end){.expired = h->expired};
	end->status = collect(h);
	rc = read_output(h, name, &end->output, err);
	close(h->out);
	*h = (struct pl_hook){.out = -1};
	return rc ? -1 : 1;
}

int pl_hook_names(struct pl_text *output, struct pl_words *names, struct pl_err *err)
{
	struct pl_line line;
	struct pl_word w, more;
	char name[PL_HOST_NAME_MAX + 1];

	while (pl_text_next(output, &line)) {
		if (!pl_line_next(&line, &w) || w.s[0] == '#')
			continue;
		if (!pl_host_name_is_good(w.s, w.len))
			return pl_err_at(err, w.place, "\"%.*s\" is not the name of a host",
					 (int)w.len, w.s);
		if (pl_line_next(&line, &more))
			return pl_err_at(err, more.place, "text after the name of a host");
		memcpy(name, w.s, w.len);
		name[w.len] = '\0';
		pl_words_add(names, name);
	}
	return names->failed ? pl_err_nomem(err) : 0;
}

bool pl_hook_saved(struct pl_text *output, uint64_t *iterations)
{
	struct pl_line line;
	struct pl_said p;
	bool found = false;

	while (pl_text_next(output, &line))
		if (!pl_progress_parse(&p, &line, NULL) && p.kind == PL_PROGRESS_CHECKPOINT) {
			*iterations = p.iterations;
			found = true;
		}
	return found;
}
