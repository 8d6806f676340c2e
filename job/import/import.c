/* SPDX-License-Identifier: BSD-3-Clause */
/* import.c - which form a file has, and what all forms share */
#include "config.h"

#include "job/import/import.h"

#include "audit/monitoring.h"
#include "base/mem.h"
#include "base/text/kind.h"
#include "job/import/forms.h"
#include "job/stats.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define TEXT_MAX ((size_t)1 << 30)

int pl_import_steps(struct pl_recording *r, double *n_steps)
{
	if (*n_steps > 0)
		return 0;
	*n_steps = 1;
	return pl_recording_lose(r,
				 "the number of steps is not in the file: 1 is assumed (--steps)");
}

int pl_import_lose_type(struct pl_recording *r, const char *call, const char *group,
			const char *type)
{
	if (!type || !*type)
		return pl_recording_lose(r,
					 "%s in group \"%s\" is left out: the type of its elements "
					 "is not in the file",
					 call, group);
	return pl_recording_lose(
		r, "%s in group \"%s\" is left out: the size of elements \"%.64s\" is not known",
		call, group, type);
}

json_t *pl_import_list(const json_t *value)
{
	if (json_is_string(value))
		return json_loads(json_string_value(value), 0, NULL);
	return json_incref((json_t *)value);
}

int pl_import_members(const json_t *array, uint32_t **member, size_t *n)
{
	const size_t size = json_array_size(array);

	*n = 0;
	*member = NULL;
	if (size == 0)
		return 1;
	*member = pl_array_create(size, sizeof(**member));
	if (!*member)
		return -1;
	for (; *n < size; ++*n) {
		const json_t *rank = json_array_get(array, *n);
		const json_int_t i = json_integer_value(rank);

		if (!json_is_integer(rank) || i < 0 || i >= (json_int_t)PL_JOB_RANKS_MAX) {
			free(*member);
			*member = NULL;
			*n = 0;
			return 1;
		}
		(*member)[*n] = (uint32_t)i;
	}
	return 0;
}

/* Standard input, a pipe, a device: these give their bytes once. */
static bool is_stream(const char *path)
{
	struct stat st;

	return strcmp(path, "-") == 0 ||
	       (stat(path, &st) == 0 && !S_ISREG(st.st_mode) && !S_ISDIR(st.st_mode));
}

/* The first bytes of the file. */
static int peek(const char *path, char *head, size_t room, struct pl_err *err)
{
	int fd;
	ssize_t n;

	if (is_stream(path))
		return pl_err_at(err, (struct pl_place){.file = path},
				 "no regular file: what a file is shows when it is read, and then "
				 "it is read again");
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return pl_err_errno(err, "cannot open %s", path);
	n = read(fd, head, room - 1);
	if (n < 0)
		pl_err_errno(err, "cannot read %s", path);
	close(fd);
	if (n < 0)
		return -1;
	head[n] = '\0';
	return 0;
}

/* Forms of JSON, by an array that each has. */
static const struct {
	const char *array;
	int (*read)(struct pl_recording *r, struct pl_json_stream *s, double n_steps,
		    struct pl_err *err);
} forms[] = {
	{PL_KINETO_ARRAY, pl_import_kineto},
	{PL_FLIGHT_ARRAY, pl_import_flight},
	{PL_RAS_ARRAY, pl_import_ras},
	{PL_AUDIT_ARRAY, pl_import_audit},
	{PL_EXECUTION_ARRAY, pl_import_execution},
};

static int import_json(struct pl_recording *r, const char *path, double n_steps, struct pl_err *err)
{
	static const char *const arrays[] = {PL_KINETO_ARRAY, PL_FLIGHT_ARRAY,    PL_RAS_ARRAY,
					     PL_AUDIT_ARRAY,  PL_EXECUTION_ARRAY, NULL};
	struct pl_json_stream *s = pl_json_stream_open_any(path, arrays, err);
	size_t i = 0;
	int rc;

	if (!s)
		return -1;
	while (strcmp(forms[i].array, pl_json_stream_key(s)) != 0)
		i++;
	rc = forms[i].read(r, s, n_steps, err);
	pl_json_stream_close(s);
	return rc;
}

/* Is it an object of JSON whose first key is that? */
static bool begins_with(const char *s, const char *key)
{
	const size_t len = strlen(key);

	s += strspn(s, " \t\r\n");
	if (*s != '{')
		return false;
	s += 1 + strspn(s + 1, " \t\r\n");
	return *s == '"' && strncmp(s + 1, key, len) == 0 && s[1 + len] == '"';
}

/* Pickles begin with the number of their protocol, 2 to 5, or (0 and 1) with an empty dictionary.
 */
static bool is_pickle(const char *head)
{
	return (head[0] == '\x80' && head[1] >= 2 && head[1] <= 5) ||
	       strncmp(head, "(dp", 3) == 0 || strncmp(head, "}q", 2) == 0;
}

/* Forms that are not read: graphs of Chakra, in JSON or Protocol Buffers, and the files with their
 * groups, {"NAME": [0, ...]}; lines of NCCL Inspector. */
static int refuse(const char *path, const char *head, struct pl_err *err)
{
	const char *ending = strrchr(path, '.');
	int group = 0;

	sscanf(head, " { \"%*[^\"]\" : [ %*[0-9]%n", &group);
	if (group > 0 || strstr(head, "\"workload_graph\"") ||
	    (*head != '{' && ending && strcmp(ending, ".et") == 0))
		return pl_err_at(err, (struct pl_place){path, 1, 1},
				 "graphs of Chakra are not read: give the traces of PyTorch that "
				 "they are made of, or write the job with plink-job layout");
	if (is_pickle(head))
		return pl_err_at(err, (struct pl_place){path, 1, 1},
				 "this is a pickle of PyTorch's Flight Recorder: make it JSON with "
				 "plink_flight.py %s > FILE.json",
				 path);
	if (begins_with(head, "header"))
		return pl_err_at(err, (struct pl_place){path, 1, 1},
				 "lines of NCCL Inspector are not read: have NCCL load "
				 "libnccl-profiler-plink in its place");
	return 0;
}

static int import_text(struct pl_recording *r, const char *path, double n_steps, struct pl_err *err)
{
	struct pl_text text;
	int rc;

	if (pl_text_load(&text, path, TEXT_MAX, err))
		return -1;
	if (pl_stats_is(&text)) {
		rc = pl_import_stats(r, &text, n_steps, err);
	} else if (pl_monitoring_is(text.data, text.len)) {
		rc = pl_import_monitoring(r, &text, n_steps, err);
	} else if (pl_nccl_log_is(&text)) {
		rc = pl_import_nccl_log(r, &text, n_steps, err);
	} else {
		rc = pl_err_at(err, (struct pl_place){text.name, 1, 1},
			       "no file of a program that plink-job(1) names");
		pl_kind_blame(&text, "what a job sent", err);
	}
	pl_text_fini(&text);
	return rc;
}

int pl_import(struct pl_recording *r, const char *path, double n_steps, struct pl_err *err)
{
	char head[1024];
	const char *s = head;

	if (peek(path, head, sizeof(head), err))
		return -1;
	if (strncmp(s, "\xef\xbb\xbf", 3) == 0)
		s += 3; /* a byte order mark */
	s += strspn(s, " \t\r\n");
	if (refuse(path, s, err))
		return -1;
	if ((*s == '{' && !begins_with(s, "plink_stats")) || strncmp(s, "\x1f\x8b", 2) == 0)
		return import_json(r, path, n_steps, err);
	return import_text(r, path, n_steps, err);
}
