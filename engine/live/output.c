/* SPDX-License-Identifier: BSD-3-Clause */
/* output.c - the file of a process' live statistics: its name, and writing it
 */
#include "config.h"

#include "engine/live/output.h"

#include "base/text/number.h"
#include "base/text/outfile.h"
#include "base/text/sizesignal.h"

#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#define INTERVAL_S_MIN 0.01
#define INTERVAL_S_MAX 1e6
#define NS_PER_S 1e9

static bool ends_in(const char *s, size_t len, const char *end)
{
	const size_t n = strlen(end);

	return len > n && memcmp(s + len - n, end, n) == 0;
}

/* "FILE" or "FILE,interval=SECONDS": the bytes of FILE, or 0: it is wrong. */
static size_t parse(struct pl_live_output *o, const char *setting)
{
	static const char key[] = ",interval=";
	const char *comma = strstr(setting, key);
	const size_t len = comma ? (size_t)(comma - setting) : strlen(setting);
	double seconds = 1;

	if (comma && pl_double_parse(comma + strlen(key), strlen(comma + strlen(key)), &seconds))
		return 0;
	if (!(seconds >= INTERVAL_S_MIN && seconds <= INTERVAL_S_MAX))
		return 0;
	o->interval_ns = (int64_t)(seconds * NS_PER_S);
	o->prometheus = ends_in(setting, len, ".prom");
	return len;
}

/* The process' number goes before the end of the name, if that has one. */
static int name_file(struct pl_live_output *o, const char *file, size_t len, uint32_t process,
		     struct pl_err *err)
{
	const char *end = o->prometheus ? ".prom" : ".jsonl";
	char folder[PATH_MAX] = "";
	int n;

	if (ends_in(file, len, end))
		len -= strlen(end);
	if (file[0] != '/' && !getcwd(folder, sizeof(folder)))
		return pl_err_errno(err, "no directory for %s", file);
	n = snprintf(o->path, sizeof(o->path), "%s%s%.*s.%u%s", folder, *folder ? "/" : "",
		     (int)len, file, process, end);
	if (n < 0 || (size_t)n >= sizeof(o->path))
		return pl_err_set(err, PL_EUSAGE, "the name is too long");
	return 0;
}

static int open_lines(struct pl_live_output *o, struct pl_err *err)
{
	const int fd =
		open(o->path,
		     O_WRONLY | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK,
		     0666);

	o->lines = fd < 0 ? NULL : fdopen(fd, "a");
	if (o->lines)
		return 0;
	pl_err_errno(err, "cannot write %s", o->path);
	if (fd >= 0)
		close(fd);
	return -1;
}

int pl_live_output_open(struct pl_live_output *o, const char *setting, uint32_t process,
			struct pl_err *err)
{
	const size_t len = parse(o, setting);

	if (len == 0)
		return pl_err_set(err, PL_EUSAGE, "\"%s\" is no FILE,interval=SECONDS", setting);
	if (name_file(o, setting, len, process, err))
		return -1;
	return o->prometheus ? 0 : open_lines(o, err);
}

void pl_live_output_close(struct pl_live_output *o)
{
	if (o->lines)
		fclose(o->lines);
	o->lines = NULL;
}

static int write_file(const struct pl_live_output *o, const struct pl_live_head *head,
		      const struct pl_live_record *total, struct pl_err *err)
{
	struct pl_outfile out;

	if (pl_outfile_open_new(&out, o->path, err))
		return -1;
	pl_live_write_prometheus(out.f, head, total);
	/* the next one comes soon: not worth a wait for the disk */
	out.synced = !fflush(out.f) && !ferror(out.f);
	return pl_outfile_commit(&out, err);
}

static int write_line(const struct pl_live_output *o, const struct pl_live_head *head,
		      const struct pl_live_record *interval, struct pl_err *err)
{
	pl_live_write_json(o->lines, head, interval);
	if (fflush(o->lines) || ferror(o->lines))
		return pl_err_errno(err, "cannot write %s", o->path);
	return 0;
}

int pl_live_output_write(const struct pl_live_output *o, const struct pl_live_head *head,
			 const struct pl_live_record *total, const struct pl_live_record *interval,
			 struct pl_err *err)
{
	struct pl_size_signal size;
	int rc;

	pl_size_signal_hold(&size);
	rc = o->prometheus ? write_file(o, head, total, err) : write_line(o, head, interval, err);
	pl_size_signal_release(&size);
	return rc;
}
