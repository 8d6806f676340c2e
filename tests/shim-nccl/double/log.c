/* SPDX-License-Identifier: BSD-3-Clause */
/* log.c - what the double was asked to do, for tests to read */
#include "config.h"

#include "tests/shim-nccl/double/double.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char last_fault[256];

/* A line in one write to a file that is opened for appending: processes share it. Kept open: a test
 * that counts descriptors would see it come and go. */
static void put(const char *line, size_t len)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
	static int fd = -1;
	const char *path = getenv("PLINK_TEST_NCCL_LOG");
	const int kept_errno = errno;

	pthread_mutex_lock(&lock);
	if (fd < 0 && path && *path)
		fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
	if (fd >= 0 && write(fd, line, len) < 0)
		perror("libnccl double: log");
	pthread_mutex_unlock(&lock);
	errno = kept_errno;
}

static size_t format(char *line, size_t size, const char *fmt, va_list ap)
{
	int len = vsnprintf(line, size - 1, fmt, ap);

	if (len < 0)
		len = 0;
	if ((size_t)len > size - 2)
		len = (int)size - 2;
	line[len] = '\n';
	line[len + 1] = '\0';
	return (size_t)len + 1;
}

void log_line(const char *fmt, ...)
{
	char line[4096];
	va_list ap;
	size_t len;

	va_start(ap, fmt);
	len = format(line, sizeof(line), fmt, ap);
	va_end(ap);
	put(line, len);
}

ncclResult_t log_fault(ncclResult_t rc, const char *fmt, ...)
{
	char line[512];
	va_list ap;
	size_t len;

	memcpy(line, "fault ", 6);
	va_start(ap, fmt);
	len = 6 + format(line + 6, sizeof(line) - 6, fmt, ap);
	va_end(ap);
	put(line, len);
	snprintf(last_fault, sizeof(last_fault), "%.*s", (int)len - 7, line + 6);
	return rc;
}

const char *log_last_fault(void)
{
	return last_fault;
}
