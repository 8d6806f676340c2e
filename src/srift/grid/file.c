/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c - the grid on the disk, which grows by a row at a time */
#include "config.h"

#include "src/srift/grid/grid.h"

#include "base/text/number.h"
#include "base/text/scratch.h"
#include "src/common/json.h"
#include "src/srift/options.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define HEADER                                                                 \
	"instance,cloud,region,zone,gpu,cpu,cores,memory_gib,rated_gbps,"      \
	"bytes,ranks,async,seconds\n"

static int fail(const struct srift_grid_file *f, struct pl_err *err)
{
	return pl_err_errno(err, "%s", f->o->output);
}

/* All of it, in one call of the system where it can be. */
static int put(struct srift_grid_file *f, const char *s, struct pl_err *err)
{
	size_t len = strlen(s);

	while (len > 0) {
		const ssize_t n = write(f->fd, s, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return fail(f, err);
		s += n;
		len -= (size_t)n;
	}
	return fdatasync(f->fd) ? fail(f, err) : 0;
}

/* Removes what follows the last line end: a process was killed there. */
static int mend(struct srift_grid_file *f, off_t size, struct pl_err *err)
{
	off_t keep = size;
	char c = 0;

	while (keep > 0 && pread(f->fd, &c, 1, keep - 1) == 1 && c != '\n')
		keep--;
	if (keep == size)
		return 0;
	srift_say("%s: its last line is cut off and is measured again",
		  f->o->output);
	return ftruncate(f->fd, keep) ? fail(f, err) : 0;
}

/* A file that this tool did not begin is left alone. */
static int check_header(struct srift_grid_file *f, struct pl_err *err)
{
	char head[sizeof(HEADER)] = "";

	if (pread(f->fd, head, sizeof(HEADER) - 1, 0) == sizeof(HEADER) - 1 &&
	    strcmp(head, HEADER) == 0)
		return 0;
	return pl_err_at(err, (struct pl_place){f->o->output, 1, 1},
			 "plink-srift grid did not begin this file, and adds "
			 "nothing to it");
}

int srift_grid_open(struct srift_grid_file *f,
		    const struct srift_grid_options *o, struct pl_err *err)
{
	const int how = o->dry_run ? O_RDONLY : O_RDWR | O_CREAT | O_APPEND;
	struct stat st;

	*f = (struct srift_grid_file){.o = o};
	f->fd = open(o->output, how | O_CLOEXEC | O_NONBLOCK, 0666);
	if (f->fd < 0 && o->dry_run && errno == ENOENT)
		return 0;
	if (f->fd < 0 || fstat(f->fd, &st))
		return fail(f, err);
	if (!S_ISREG(st.st_mode))
		return pl_err_set(err, PL_EUSAGE, "%s: not a file to add to",
				  o->output);
	if (!o->dry_run && flock(f->fd, LOCK_EX | LOCK_NB))
		return pl_err_set(err, PL_ESYSTEM,
				  "%s: another process adds to it", o->output);
	if (!o->dry_run && (mend(f, st.st_size, err) || fstat(f->fd, &st)))
		return -1;
	if (st.st_size == 0)
		return put(f, HEADER, err);
	if (check_header(f, err))
		return -1;
	if (st.st_size == sizeof(HEADER) - 1)
		return 0;
	return pl_grid_read(&f->before, o->output, err);
}

/* The machines of our options among those of the file, or NULL. */
static const struct pl_grid_machine *ours(const struct srift_grid_file *f)
{
	const struct srift_grid_options *o = f->o;

	for (size_t i = 0; i < f->before.n_machines; i++) {
		const struct pl_grid_machine *m = &f->before.machine[i];

		if (strcmp(m->instance, o->instance) == 0 &&
		    strcmp(m->text[PL_GRID_CLOUD], o->cloud) == 0 &&
		    strcmp(m->text[PL_GRID_REGION], o->region) == 0 &&
		    strcmp(m->text[PL_GRID_ZONE], o->zone) == 0)
			return m;
	}
	return NULL;
}

uint64_t srift_grid_count(const struct srift_grid_file *f, size_t ranks,
			  uint64_t bytes, size_t together)
{
	const struct pl_grid_machine *m = ours(f);
	uint64_t n = 0;

	for (size_t i = 0; m && i < f->before.n_rows; i++) {
		const struct pl_grid_row *row = &f->before.row[i];

		n += &f->before.machine[row->machine] == m &&
		     row->ranks == ranks && row->bytes == bytes &&
		     row->async == together;
	}
	return n;
}

/* A field, without what a grid's names cannot have. */
static void put_field(FILE *out, const char *s)
{
	const bool quoted = strchr(s, ',');

	if (quoted)
		putc('"', out);
	for (; *s; s++)
		if ((unsigned char)*s >= ' ' && *s != 0x7f && *s != '"')
			putc(*s, out);
	fputs(quoted ? "\"," : ",", out);
}

/* What the file says of the machine must hold. */
static int check_machine(const struct srift_grid_file *f, const char *gpu,
			 const char *cpu, double cores, double memory_gib,
			 struct pl_err *err)
{
	const struct pl_grid_machine *m = ours(f);

	if (!m || (strcmp(m->text[PL_GRID_GPU], gpu) == 0 &&
		   strcmp(m->text[PL_GRID_CPU], cpu) == 0 &&
		   m->number[PL_GRID_CORES] == cores &&
		   m->number[PL_GRID_MEMORY_GIB] == memory_gib &&
		   m->number[PL_GRID_RATED_GBPS] == f->o->rated_gbps))
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "%s has %s as another machine (GPU \"%s\", CPU "
			  "\"%s\", %g cores, %g GiB, %g Gbit/s): give this one "
			  "another --instance, or another file",
			  f->o->output, f->o->instance, m->text[PL_GRID_GPU],
			  m->text[PL_GRID_CPU], m->number[PL_GRID_CORES],
			  m->number[PL_GRID_MEMORY_GIB],
			  m->number[PL_GRID_RATED_GBPS]);
}

/* The columns before "bytes". */
static char *columns(const struct srift_grid_options *o, const char *gpu,
		     const char *cpu, double cores, double memory_gib)
{
	const char *const text[] = {o->instance, o->cloud, o->region,
				    o->zone,     gpu,      cpu};
	const double number[] = {cores, memory_gib, o->rated_gbps};
	char *all = NULL, s[PL_DOUBLE_CHARS];
	size_t len;
	FILE *out = open_memstream(&all, &len);

	for (size_t i = 0; out && i < sizeof(text) / sizeof(*text); i++)
		put_field(out, text[i]);
	for (size_t i = 0; out && i < sizeof(number) / sizeof(*number); i++)
		fprintf(out, "%s,", pl_double_format(s, number[i]));
	if (!out || fclose(out)) {
		free(all);
		return NULL;
	}
	return all;
}

int srift_grid_machine(struct srift_grid_file *f, const char *json,
		       struct pl_err *err)
{
	json_t *all = json_loads(json, 0, NULL);
	const char *gpu = NULL, *cpu = NULL;
	double cores = 0, memory_gib = 0;
	int rc = -1;

	if (!all || json_unpack(all, "{ss ss sF sF}", "gpu", &gpu, "cpu", &cpu,
				"cores", &cores, "memory_gib", &memory_gib)) {
		pl_err_set(err, PL_ESYSTEM,
			   "the job does not say what its machines are: %s",
			   json);
	} else if (check_machine(f, gpu, cpu, cores, memory_gib, err) == 0) {
		free(f->machine);
		f->machine = columns(f->o, gpu, cpu, cores, memory_gib);
		rc = f->machine ? 0 : pl_err_nomem(err);
	}
	json_decref(all);
	return rc;
}

int srift_grid_append(struct srift_grid_file *f, size_t ranks, uint64_t bytes,
		      size_t together, double seconds, struct pl_err *err)
{
	char *row = NULL, s[PL_DOUBLE_CHARS];
	int rc;

	if (!f->machine)
		return pl_err_set(err, PL_ESYSTEM,
				  "the job does not say what its machines are");
	if (asprintf(&row, "%s%" PRIu64 ",%zu,%zu,%s\n", f->machine, bytes,
		     ranks, together, pl_double_format(s, seconds)) < 0)
		return pl_err_nomem(err);
	rc = put(f, row, err);
	free(row);
	return rc;
}

void srift_grid_close(struct srift_grid_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	pl_grid_fini(&f->before);
	free(f->machine);
	*f = (struct srift_grid_file){.fd = -1};
}
