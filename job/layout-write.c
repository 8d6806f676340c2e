/* SPDX-License-Identifier: BSD-3-Clause */
/* layout-write.c - the calls along the dimensions of a layout, as a job */
#include "config.h"

#include "job/layout.h"

#include "base/mem.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* The grid that has all of the dimensions "DIM+DIM" (@len characters), or
 * NULL. */
static const struct pl_rank_mesh *find_mesh(const struct pl_layout *layout, const char *s,
					    size_t len)
{
	for (size_t m = 0; m < layout->n_meshes; m++) {
		const struct pl_rank_mesh *mesh = &layout->mesh[m];
		size_t from = 0;

		while (from <= len) {
			const char *plus = memchr(s + from, '+', len - from);
			const size_t end = plus ? (size_t)(plus - s) : len;

			if (pl_rank_mesh_find(mesh, s + from, end - from) == mesh->n)
				break;
			from = end + 1;
		}
		if (from > len)
			return mesh;
	}
	return NULL;
}

static void write_mesh(const struct pl_rank_mesh *mesh, FILE *out)
{
	fputs("mesh", out);
	for (size_t d = 0; d < mesh->n; d++)
		fprintf(out, " %s=%zu", mesh->dim[d].name, mesh->dim[d].size);
	fputc('\n', out);
}

/* How many of the first @n calls have that name (@len characters)? */
static size_t count_named(char *const *calls, size_t n, const char *name, size_t len)
{
	size_t count = 0;

	for (size_t i = 0; i < n; i++)
		count += strcspn(calls[i], ":") == len && memcmp(calls[i], name, len) == 0;
	return count;
}

static bool is_pipeline(const char *call)
{
	const char *what = call + strcspn(call, ":");

	return strcmp(what, ":pipeline") == 0 || strncmp(what, ":pipeline:", 10) == 0;
}

/* One line "kind" for call @i. */
static void write_kind(const struct pl_layout *layout, char *const *calls, size_t i, FILE *out)
{
	const char *call = calls[i];
	const size_t len = strcspn(call, ":");
	const size_t before = count_named(calls, i, call, len);

	fprintf(out, "kind %.*s", (int)len, call);
	if (before > 0)
		fprintf(out, "-%zu", before + 1);
	for (const char *s = call + len; *s; s++)
		fputc(*s == ':' ? ' ' : *s, out);
	if (layout->vpp > 1 && is_pipeline(call))
		fprintf(out, " vpp=%zu", layout->vpp);
	fputs(" along=", out);
	for (size_t c = 0; c < len; c++)
		fputc(call[c] == '+' ? ',' : call[c], out);
	fputc('\n', out);
}

static int check_call(const struct pl_layout *layout, const char *call,
		      const struct pl_rank_mesh **mesh, struct pl_err *err)
{
	const size_t len = strcspn(call, ":");

	for (const char *s = call; *s; s++)
		if (!isgraph((unsigned char)*s))
			return pl_err_set(err, PL_EUSAGE, "\"%s\": no call has blanks", call);
	if (!call[len])
		return pl_err_set(
			err, PL_EUSAGE,
			"\"%s\": NAME:COLLECTIVE:BYTES is wanted, as in dp:allreduce:1GiB", call);
	*mesh = find_mesh(layout, call, len);
	if (!*mesh)
		return pl_err_set(err, PL_EUSAGE,
				  "\"%s\": no grid of this layout has dimension%s %.*s", call,
				  memchr(call, '+', len) ? "s" : "", (int)len, call);
	return 0;
}

static int check_vpp(const struct pl_layout *layout, char *const *calls, size_t n_calls,
		     struct pl_err *err)
{
	size_t i = 0;

	while (i < n_calls && !is_pipeline(calls[i]))
		i++;
	if (layout->vpp == 1 || i < n_calls)
		return 0;
	return pl_err_set(err, PL_EUSAGE,
			  "vpp=%zu: no call is a pipeline, as in pp:pipeline:32MiB:microbatches=8",
			  layout->vpp);
}

/* Writes the lines; call_of[line] becomes the call that the line is of, the first line being 1. */
static int write_lines(const struct pl_layout *layout, char *const *calls, size_t n_calls,
		       size_t *call_of, FILE *out, struct pl_err *err)
{
	const struct pl_rank_mesh *mesh = NULL, *last = NULL;
	size_t line = 2;

	fprintf(out, "# plink-job 1\nranks %zu\n", pl_rank_mesh_ranks(&layout->mesh[0]));
	for (size_t i = 0; i < n_calls; i++) {
		if (check_call(layout, calls[i], &mesh, err))
			return -1;
		if (mesh != last) {
			write_mesh(mesh, out);
			line++;
		}
		last = mesh;
		write_kind(layout, calls, i, out);
		call_of[++line] = i;
	}
	return 0;
}

/* Is it a job? */
static int check_text(const char *lines, size_t len, char *const *calls, const size_t *call_of,
		      struct pl_err *err)
{
	struct pl_job job = {0};
	struct pl_err why = {0};
	struct pl_text text;
	int rc;

	if (pl_text_copy(&text, "calls", lines, len, err))
		return -1;
	rc = pl_job_parse(&job, &text, &why);
	pl_text_fini(&text);
	pl_job_fini(&job);
	if (rc && why.code == PL_EINPUT)
		return pl_err_set(err, PL_EUSAGE, "\"%s\": %s", calls[call_of[why.line]], why.text);
	if (rc && err)
		*err = why;
	return rc;
}

int pl_layout_write(const struct pl_layout *layout, char *const *calls, size_t n_calls, FILE *out,
		    struct pl_err *err)
{
	/* a call has its line and perhaps that of a mesh */
	size_t *call_of = pl_array_create(2 * n_calls + 3, sizeof(*call_of));
	char *lines = NULL;
	size_t len = 0;
	FILE *f = call_of ? open_memstream(&lines, &len) : NULL;
	int rc = f ? write_lines(layout, calls, n_calls, call_of, f, err) : -1;

	if (!f || fclose(f) || !lines)
		rc = pl_err_nomem(err);
	if (rc == 0)
		rc = check_vpp(layout, calls, n_calls, err);
	if (rc == 0)
		rc = check_text(lines, len, calls, call_of, err);
	if (rc == 0 && fwrite(lines, 1, len, out) < len)
		rc = pl_err_errno(err, "cannot write the job");
	free(lines);
	free(call_of);
	return rc;
}
