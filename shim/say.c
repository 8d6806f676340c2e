/* SPDX-License-Identifier: BSD-3-Clause */
/* say.c - what a preload library tells the user */
#include "config.h"

#include "shim/say.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define LINE_MAX_BYTES 2048

/* What standard output and standard error were when this library was loaded. */
static struct stream {
	dev_t dev;
	ino_t ino;
	bool is_open;
} streams[STDERR_FILENO + 1];

static struct stream stream_of(int fd)
{
	struct stat st;

	if (fstat(fd, &st))
		return (struct stream){0};
	return (struct stream){st.st_dev, st.st_ino, true};
}

/* Before the other constructors, which may have something to say. */
__attribute__((constructor(101))) static void remember_streams(void)
{
	for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
		streams[fd] = stream_of(fd);
}

bool pl_shim_owns(int fd)
{
	const struct stream now = stream_of(fd), then = streams[fd];

	return now.is_open && then.is_open && now.dev == then.dev && now.ino == then.ino;
}

void pl_shim_say(const char *fmt, ...)
{
	static const char start[] = PL_SHIM_NAME ": ";
	char line[LINE_MAX_BYTES];
	const int saved = errno;
	size_t len = sizeof(start) - 1;
	va_list ap;
	int n;

	memcpy(line, start, len);
	va_start(ap, fmt);
	n = vsnprintf(line + len, sizeof(line) - len, fmt, ap);
	va_end(ap);
	if (n > 0)
		len += (size_t)n;
	if (len > sizeof(line) - 1)
		len = sizeof(line) - 1;
	for (size_t i = 0; i < len; i++)
		if ((unsigned char)line[i] < ' ')
			line[i] = '?';
	line[len++] = '\n';
	/* where stderr does not take it, nothing can be done */
	while (pl_shim_owns(STDERR_FILENO) && write(STDERR_FILENO, line, len) < 0 && errno == EINTR)
		;
	errno = saved;
}

void pl_shim_say_err(const struct pl_err *err, const char *remedy)
{
	if (!err->file[0])
		pl_shim_say("%s; %s", err->text, remedy);
	else if (!err->line)
		pl_shim_say("%s: %s; %s", err->file, err->text, remedy);
	else
		pl_shim_say("%s:%ld:%ld: %s; %s", err->file, err->line, err->col, err->text,
			    remedy);
}

bool pl_shim_flag(const char *name)
{
	const char *s = getenv(name);

	return s && *s && strcmp(s, "0") != 0;
}
