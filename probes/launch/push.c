/* SPDX-License-Identifier: BSD-3-Clause */
/* push.c - an agent that is sent to hosts which have none */
#include "config.h"

#include "probes/launch/push.h"

#include "base/mem.h"
#include "probes/launch/elf.h"

#include <errno.h>
#include <fcntl.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * The shell script that a host runs, in parts that are put between single quotes. It has no such
 * quotes, backslashes, exclamation marks or percent signs, since a login shell of any kind and
 * perhaps a launcher read it first.
 *
 * A folder is passed over if others could replace the file in it. It is tried before the program is
 * read: an empty file there must be executable (a script of no lines, which a file system mounted
 * noexec refuses), and there must be room for as many zeros as the program has bytes. The program
 * is then unlinked and lives for as long as descriptor 3 or the process; since a file that is open
 * for writing cannot be executed, descriptor 4 is open for reading.
 */
static const char script[] =
	"sh -c 'say() { echo \"cannot take plink-agent: $*\" >&2; exit 1; }; gone() { test -z "
	"\"$f\" || rm -f \"$f\"; }; case $(uname -m) in %s) ;; *) say \"this machine is $(uname "
	"-m), the program for %s\";; esac; for c in mktemp head sha256sum ls; do command -v $c "
	">/dev/null || say \"there is no $c\"; done; test -e /proc/self/fd/0 || say \"there is no "
	"/proc\"; umask 077; f=; w=; trap \"exit 1\" 1 2 15; trap gone 0; for d in "
	"\"$XDG_RUNTIME_DIR\" /dev/shm \"${TMPDIR:-/tmp}\" /var/tmp \"$HOME\"; do test -d \"$d\" "
	"|| continue; case $(ls -ldL \"$d\") in d????w???[x-]* | d???????w[x-]*) w=\"$w, others "
	"may change what is in $d\"; continue;; esac; f=$(mktemp \"$d/.plink-agent.XXXXXX\" "
	"2>/dev/null) || { f=; w=\"$w, $d cannot be written\"; continue; }; if chmod 700 \"$f\" && "
	"\"$f\" </dev/null 2>/dev/null; then head -c %zu /dev/zero 2>/dev/null >\"$f\" && break; "
	"w=\"$w, $d has no room\"; else w=\"$w, $d lets no program run\"; fi; rm -f \"$f\"; f=; "
	"done; test -n \"$f\" || say \"no place for it: ${w#, }\"; exec 3<>\"$f\"; rm -f \"$f\"; "
	"f=; head -c %zu >&3; exec 4</proc/self/fd/3 3>&-; case $(sha256sum <&4) in %s*) ;; *) say "
	"it did not arrive as it was sent;; esac; exec /proc/self/fd/4%s'";

static int read_all(int fd, struct pl_push *push, struct pl_err *err)
{
	struct stat st;
	size_t got = 0;
	ssize_t n = 1;

	if (fstat(fd, &st))
		return pl_err_errno(err, "fstat");
	if (!S_ISREG(st.st_mode) || st.st_size <= 0 || st.st_size > (off_t)PL_PUSH_BYTES_MAX)
		return pl_err_set(err, PL_EINPUT, "it is no program (ELF)");
	push->len = (size_t)st.st_size;
	push->data = pl_array_create(push->len, 1);
	if (!push->data)
		return pl_err_nomem(err);
	while (got < push->len && n > 0) {
		n = read(fd, push->data + got, push->len - got);
		if (n < 0 && errno == EINTR)
			n = 1;
		else if (n > 0)
			got += (size_t)n;
	}
	if (n < 0)
		return pl_err_errno(err, "read");
	if (got < push->len)
		return pl_err_set(err, PL_EINPUT, "it is being written");
	return 0;
}

static int load(struct pl_push *push, const char *path, struct pl_err *err)
{
	unsigned char sum[crypto_hash_sha256_BYTES];
	struct pl_elf elf;
	int status, fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);

	if (fd < 0)
		return pl_err_errno(err, "cannot open it");
	status = read_all(fd, push, err);
	close(fd);
	if (status || pl_elf_read(&elf, push->data, push->len, err))
		return -1;
	if (elf.dynamic)
		return pl_err_set(err, PL_EINPUT,
				  "it needs shared libraries; only a program linked statically "
				  "runs on any host");
	push->machines = elf.machines;
	crypto_hash_sha256(sum, push->data, push->len);
	sodium_bin2hex(push->sha256, sizeof(push->sha256), sum, sizeof(sum));
	return 0;
}

int pl_push_load(struct pl_push *push, const char *path, struct pl_err *err)
{
	struct pl_err why = {0};

	*push = (struct pl_push){0};
	if (!load(push, path, &why))
		return 0;
	pl_push_fini(push);
	return pl_err_set(err, why.code, "%s cannot be sent to hosts: %s", path, why.text);
}

void pl_push_fini(struct pl_push *push)
{
	free(push->data);
	*push = (struct pl_push){0};
}

char *pl_push_command(const struct pl_push *push, const char *args)
{
	const size_t size = sizeof(script) + 2 * strlen(push->machines) + 2 * sizeof("67108864") +
			    sizeof(push->sha256) + strlen(args);
	char *command = pl_array_create(size, 1);

	if (command)
		snprintf(command, size, script, push->machines, push->machines, push->len,
			 push->len, push->sha256, args);
	return command;
}
