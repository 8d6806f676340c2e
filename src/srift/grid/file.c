/* SPDX-License-Identifier: BSD-3-Clause */
/* file.c - the grid on the disk, which grows by a row at a time */
#include "config.h"

#include "src/srift/grid/grid.h"

#include "base/text/number.h"
#include "base/text/text.h"
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

#define NAME_ROOM 256
#define SIZE_LIMIT ((size_t)256 << 20)
#define HEADER                                                                                     \
	"cloud,region,zone,instance,gpu,cpu,cores,memory_gib,rated_gbps,"                          \
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

/* Did this tool begin the file of @size bytes? Perhaps it was killed within the first line; and an
 * editor may have set a mark before it. */
static bool is_ours(const struct pl_text *text, off_t size)
{
	const size_t n = sizeof(HEADER) - 1;

	return text->len == (size_t)size &&
	       memcmp(text->data, HEADER, text->len < n ? text->len : n) == 0;
}

/* Reads what there is but for a last line that was cut off, and cuts it off.
 * 0, or -1 with @err set. */
static int read_before(struct srift_grid_file *f, off_t size, struct pl_err *err)
{
	struct pl_text text = {0};
	int rc = -1;

	if (pl_text_load_file(&text, f->o->output, SIZE_LIMIT, err))
		return -1;
	if (!is_ours(&text, size)) {
		pl_err_at(err, (struct pl_place){f->o->output, 1, 1},
			  "plink-srift grid did not begin this file, and adds nothing to it");
		goto out;
	}
	while (text.len > 0 && text.data[text.len - 1] != '\n')
		text.len--;
	text.data[text.len] = '\0';
	if ((off_t)text.len < size) {
		srift_say("%s: its last line is cut off and is measured again", f->o->output);
		if (!f->o->dry_run && ftruncate(f->fd, (off_t)text.len)) {
			fail(f, err);
			goto out;
		}
	}
	rc = 0;
	if (text.len == 0 && !f->o->dry_run)
		rc = put(f, HEADER, err);
	if (text.len > sizeof(HEADER) - 1)
		rc = pl_grid_parse(&f->before, &text, err);
out:
	pl_text_fini(&text);
	return rc;
}

int srift_grid_open(struct srift_grid_file *f, const struct srift_grid_options *o,
		    struct pl_err *err)
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
		return pl_err_set(err, PL_EUSAGE, "%s: not a file to add to", o->output);
	if (!o->dry_run && flock(f->fd, LOCK_EX | LOCK_NB))
		return pl_err_set(err, PL_ESYSTEM, "%s: another process adds to it", o->output);
	/* (only now is it ours alone) */
	if (fstat(f->fd, &st))
		return fail(f, err);
	if (st.st_size > 0)
		return read_before(f, st.st_size, err);
	return o->dry_run ? 0 : put(f, HEADER, err);
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

uint64_t srift_grid_count(const struct srift_grid_file *f, size_t ranks, uint64_t bytes,
			  size_t together)
{
	const struct pl_grid_machine *m = ours(f);
	uint64_t n = 0;

	for (size_t i = 0; m && i < f->before.n_rows; i++) {
		const struct pl_grid_row *row = &f->before.row[i];

		n += &f->before.machine[row->machine] == m && row->ranks == ranks &&
		     row->bytes == bytes && row->async == together;
	}
	return n;
}

/* Copies @s without what the names of a grid cannot have. */
static void copy_name(char to[NAME_ROOM], const char *s)
{
	size_t len = 0;

	for (s += strspn(s, " \t"); *s && len < NAME_ROOM - 1; s++)
		if ((unsigned char)*s >= ' ' && *s != 0x7f && *s != '"')
			to[len++] = *s;
	while (len > 0 && to[len - 1] == ' ')
		len--;
	to[len] = '\0';
}

static void put_field(FILE *out, const char *s)
{
	fprintf(out, strchr(s, ',') ? "\"%s\"," : "%s,", s);
}

/* What the file says of the machine must hold. */
static int check_machine(const struct srift_grid_file *f, const char *gpu, const char *cpu,
			 double cores, double memory_gib, struct pl_err *err)
{
	const struct pl_grid_machine *m = ours(f);

	if (!m ||
	    (strcmp(m->text[PL_GRID_GPU], gpu) == 0 && strcmp(m->text[PL_GRID_CPU], cpu) == 0 &&
	     m->number[PL_GRID_CORES] == cores && m->number[PL_GRID_MEMORY_GIB] == memory_gib &&
	     m->number[PL_GRID_RATED_GBPS] == f->o->rated_gbps))
		return 0;
	return pl_err_set(err, PL_EINPUT,
			  "%s has %s as another machine (GPU \"%s\", CPU \"%s\", %g cores, %g GiB, "
			  "%g Gbit/s): give this one another --instance, or another file",
			  f->o->output, f->o->instance, m->text[PL_GRID_GPU], m->text[PL_GRID_CPU],
			  m->number[PL_GRID_CORES], m->number[PL_GRID_MEMORY_GIB],
			  m->number[PL_GRID_RATED_GBPS]);
}

/* The columns before "bytes". */
static char *columns(const struct srift_grid_options *o, const char *gpu, const char *cpu,
		     double cores, double memory_gib)
{
	const char *const text[] = {o->cloud, o->region, o->zone, o->instance, gpu, cpu};
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

int srift_grid_machine(struct srift_grid_file *f, const char *json, struct pl_err *err)
{
	json_t *all = json_loads(json, 0, NULL);
	const char *gpu_said = NULL, *cpu_said = NULL;
	char gpu[NAME_ROOM], cpu[NAME_ROOM];
	double cores = 0, memory_gib = 0;
	char *now = NULL;
	int rc = -1;

	if (!all || json_unpack(all, "{ss ss sF sF}", "gpu", &gpu_said, "cpu", &cpu_said, "cores",
				&cores, "memory_gib", &memory_gib)) {
		pl_err_set(err, PL_ESYSTEM, "the job does not say what its machines are: %s", json);
		goto out;
	}
	copy_name(gpu, gpu_said);
	copy_name(cpu, cpu_said);
	if (check_machine(f, gpu, cpu, cores, memory_gib, err))
		goto out;
	now = columns(f->o, gpu, cpu, cores, memory_gib);
	if (!now) {
		pl_err_nomem(err);
	} else if (f->machine && strcmp(f->machine, now) != 0) {
		pl_err_set(err, PL_EINPUT, "the machines differ: \"%s\", and before \"%s\"", now,
			   f->machine);
	} else {
		free(f->machine);
		f->machine = now;
		now = NULL;
		rc = 0;
	}
out:
	free(now);
	json_decref(all);
	return rc;
}

int srift_grid_append(struct srift_grid_file *f, size_t ranks, uint64_t bytes, size_t together,
		      double seconds, struct pl_err *err)
{
	char *row = NULL, s[PL_DOUBLE_CHARS];
	int rc;

	if (!f->machine)
		return pl_err_set(err, PL_ESYSTEM, "the job does not say what its machines are");
	if (asprintf(&row, "%s%" PRIu64 ",%zu,%zu,%s\n", f->machine, bytes, ranks, together,
		     pl_double_format(s, seconds)) < 0)
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
