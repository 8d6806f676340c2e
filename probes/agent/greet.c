/* SPDX-License-Identifier: BSD-3-Clause */
/* greet.c - the messages of an agent, and its first one */
#include "config.h"

#include "probes/agent/parts.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

static int write_all(int fd, const char *s, size_t len, struct pl_err *err)
{
	while (len > 0) {
		const ssize_t put = write(fd, s, len);

		if (put < 0 && errno == EINTR)
			continue;
		if (put < 0)
			return pl_err_errno(err, "cannot answer");
		s += put;
		len -= (size_t)put;
	}
	return 0;
}

int pl_agent_tell(const struct pl_agent *a, const struct pl_msg *msg, struct pl_err *err)
{
	char line[PL_LINE_CHARS];
	const size_t len = pl_msg_format(msg, line);

	return write_all(a->options->out, line, len, err);
}

/* The address at which sshd was reached, if that is one of this machine: the variable may have come
 * along from another one. */
static bool find_reached(struct pl_addr *addr)
{
	const char *from = getenv("SSH_CONNECTION");
	struct pl_addr own[PL_ADDRS_MAX], at;
	char text[PL_ADDR_CHARS];
	size_t n;

	if (!from || sscanf(from, "%*s %*s %63s", text) != 1 ||
	    pl_addr_parse(text, strlen(text), &at) || pl_addr_list(NULL, own, &n, NULL))
		return false;
	for (size_t i = 0; i < n; i++)
		if (pl_addr_same(&own[i], &at)) {
			*addr = own[i];
			return true;
		}
	return false;
}

int pl_agent_greet(const struct pl_agent *a, struct pl_err *err)
{
	struct pl_msg msg = {.kind = PL_MSG_HELLO, .protocol = PL_PROTOCOL};
	struct pl_addr addr[PL_ADDRS_MAX];
	struct pl_verbs verbs[PL_VERBS_MAX];
	struct utsname uts;
	size_t n;

	snprintf(msg.text, sizeof(msg.text), "%s", PACKAGE_VERSION);
	/* the launcher's output before this may end without a line feed */
	if (write_all(a->options->out, "\n", 1, err) || pl_agent_tell(a, &msg, err))
		return -1;
	if (uname(&uts))
		return pl_err_errno(err, "uname");
	msg.kind = PL_MSG_NODE;
	snprintf(msg.text, sizeof(msg.text), "%s", uts.nodename);
	if (pl_agent_tell(a, &msg, err) || pl_addr_list(a->options->iface, addr, &n, err))
		return -1;
	msg.kind = PL_MSG_ADDR;
	for (size_t i = 0; i < n; i++) {
		msg.addr = addr[i];
		if (pl_agent_tell(a, &msg, err))
			return -1;
	}
	msg.kind = PL_MSG_REACHED;
	if (find_reached(&msg.addr) && pl_agent_tell(a, &msg, err))
		return -1;
	msg.kind = PL_MSG_VERBS;
	n = pl_verbs_list("/sys", verbs);
	for (size_t i = 0; i < n; i++) {
		msg.verbs = verbs[i];
		if (pl_agent_tell(a, &msg, err))
			return -1;
	}
	msg.kind = PL_MSG_READY;
	return pl_agent_tell(a, &msg, err);
}
