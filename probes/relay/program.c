/* SPDX-License-Identifier: BSD-3-Clause */
/* program.c - the running program's own file, to be sent on */
#include "config.h"

#include "probes/relay/program.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

int pl_program_map(struct pl_relay_program *program, struct pl_err *err)
{
	const int fd = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
	struct stat st;
	void *data;

	if (fd < 0)
		return pl_err_errno(
			err, "cannot read the file of the running program");
	data = fstat(fd, &st) ? MAP_FAILED
			      : mmap(NULL, (size_t)st.st_size, PROT_READ,
				     MAP_PRIVATE, fd, 0);
	close(fd);
	if (data == MAP_FAILED)
		return pl_err_errno(
			err, "cannot read the file of the running program");
	program->data = data;
	program->len = (size_t)st.st_size;
	return 0;
}

void pl_program_unmap(struct pl_relay_program *program)
{
	if (program->data)
		munmap((void *)program->data, program->len);
	*program = (struct pl_relay_program){0};
}
