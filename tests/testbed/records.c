/* SPDX-License-Identifier: BSD-3-Clause */
/* records.c - the state directory's files: daemon and hosts, a record a line */
#include "config.h"

#include "tests/testbed/state.h"

#include "base/mem.h"
#include "base/text/number.h"
#include "base/text/text.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_BYTES_MAX ((size_t)1 << 20)
#define LINE_CHARS 256

static int load(const struct tb_state *state, const char *name, struct pl_text *text,
		struct pl_err *err)
{
	char path[64];

	/* by descriptor: the name may be another testbed's by now */
	snprintf(path, sizeof(path), "/proc/self/fd/%d/%s", state->dirfd, name);
	return pl_text_load(text, path, FILE_BYTES_MAX, err);
}

static int next_int(struct pl_line *line, int64_t max, int64_t *out)
{
	struct pl_word word;

	if (!pl_line_next(line, &word))
		return -1;
	return pl_int_parse(word.s, word.len, 0, max, out);
}

static int next_proc(struct pl_line *line, struct tb_proc *proc)
{
	int64_t pid;

	if (next_int(line, INT_MAX, &pid) || next_int(line, INT64_MAX, &proc->start))
		return -1;
	proc->pid = (pid_t)pid;
	return pid > 0 ? 0 : -1;
}

int tb_state_put_daemon(const struct tb_state *state, struct tb_proc daemon, struct pl_err *err)
{
	char text[LINE_CHARS];

	snprintf(text, sizeof(text), "%ld %lld\n", (long)daemon.pid, (long long)daemon.start);
	return tb_state_put(state, "daemon", text, err);
}

int tb_state_get_daemon(const struct tb_state *state, struct tb_proc *daemon, struct pl_err *err)
{
	struct pl_text text;
	struct pl_line line;
	int ret = 0;

	if (load(state, "daemon", &text, err))
		return -1;
	if (!pl_text_next(&text, &line) || next_proc(&line, daemon))
		ret = pl_err_set(err, PL_ESYSTEM, "%s/daemon is damaged", state->path);
	pl_text_fini(&text);
	return ret;
}

int tb_state_put_hosts(const struct tb_state *state, const struct tb_host *host, size_t n,
		       struct pl_err *err)
{
	char *text = pl_array_create(n, LINE_CHARS);
	size_t len = 0;
	int ret;

	if (!text)
		return pl_err_nomem(err);
	for (size_t i = 0; i < n; i++)
		len += (size_t)snprintf(text + len, LINE_CHARS, "%s %zu %u %ld %lld\n",
					host[i].name, host[i].rack, host[i].addr,
					(long)host[i].init.pid, (long long)host[i].init.start);
	ret = tb_state_put(state, "hosts", text, err);
	free(text);
	return ret;
}

static int next_host(struct pl_line *line, struct tb_host *host)
{
	struct pl_word word;
	int64_t rack, addr;

	if (!pl_line_next(line, &word) || word.len > TB_NAME_MAX)
		return -1;
	memcpy(host->name, word.s, word.len);
	host->name[word.len] = '\0';
	if (next_int(line, TB_GROUPS_MAX, &rack) || next_int(line, UINT32_MAX, &addr) ||
	    next_proc(line, &host->init))
		return -1;
	host->rack = (size_t)rack;
	host->addr = (uint32_t)addr;
	return 0;
}

int tb_state_get_hosts(const struct tb_state *state, struct tb_host **host, size_t *n,
		       struct pl_err *err)
{
	struct pl_text text;
	struct pl_line line;
	struct tb_host *v;
	size_t used = 0;

	if (load(state, "hosts", &text, err))
		return -1;
	v = pl_array_create(TB_HOSTS_MAX, sizeof(*v));
	if (!v) {
		pl_err_nomem(err);
		goto fail;
	}
	while (pl_text_next(&text, &line)) {
		if (used == TB_HOSTS_MAX || next_host(&line, &v[used])) {
			pl_err_set(err, PL_ESYSTEM, "%s/hosts is damaged", state->path);
			goto fail;
		}
		used++;
	}
	pl_text_fini(&text);
	*host = v;
	*n = used;
	return 0;
fail:
	free(v);
	pl_text_fini(&text);
	return -1;
}
