/* SPDX-License-Identifier: BSD-3-Clause */
/* capture.c - what passes an interface between the hosts of a job, into a
 * file */
#include "config.h"

#include "audit/capture.h"

#include "audit/command.h"
#include "audit/savefile.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pcap.h>
#include <poll.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SNAP_BYTES 256 /* the longest headers; the payload is cut off here */
#define BUFFER_BYTES (16 << 20)
#define POLL_MS 50
/* turns of POLL_MS that a packet may take to us at the end */
#define DRAINS 4

struct capture {
	const struct pl_capture_options *o;
	struct pl_capture_report *report;
	pcap_t *pcap;
	pcap_dumper_t *dumper;
	enum pl_capture_link link;
};

static int no_right(const char *iface, struct pl_err *err)
{
	char path[PATH_MAX];
	const ssize_t len = readlink("/proc/self/exe", path, sizeof(path) - 1);

	path[len > 0 ? len : 0] = '\0';
	return pl_err_set(err, PL_ESYSTEM,
			  "capturing on %s needs the capability CAP_NET_RAW: "
			  "be root, or give it to the program: "
			  "setcap cap_net_raw+ep %s",
			  iface, len > 0 ? path : "plink-audit");
}

static int activate(pcap_t *p, const char *iface, struct pl_err *err)
{
	int rc;

	if (pcap_set_snaplen(p, SNAP_BYTES) || pcap_set_promisc(p, 0) ||
	    pcap_set_timeout(p, POLL_MS) || pcap_set_buffer_size(p, BUFFER_BYTES))
		return pl_err_set(err, PL_ESYSTEM, "%s: cannot be set up", iface);
	pcap_set_tstamp_precision(p, PCAP_TSTAMP_PRECISION_NANO);
	rc = pcap_activate(p);
	if (rc == PCAP_ERROR_PERM_DENIED)
		return no_right(iface, err);
	/* the longer word, which is not always there */
	if (rc < 0)
		return pl_err_set(err, PL_ESYSTEM, "cannot capture on %s: %s", iface,
				  *pcap_geterr(p) ? pcap_geterr(p) : pcap_statustostr(rc));
	return 0;
}

/* "(10.0.0.1 or fd00::1)"; room for all of it has been made. */
static char *put_addresses(char *to, const struct pl_who *who)
{
	char text[PL_IP_CHARS];

	for (size_t i = 0; i < who->n; i++)
		to += sprintf(to, "%s%s", i ? " or " : "(", pl_ip_format(&who->v[i].ip, text));
	*to++ = ')';
	*to = '\0';
	return to;
}

/* The whole condition; malloc'd, or NULL. */
static char *make_filter(const struct pl_capture_options *o)
{
	const size_t room =
		2 * o->who->n * (PL_IP_CHARS + 4) + (o->filter ? strlen(o->filter) : 0) + 100;
	char *text = malloc(room), *to = text;

	if (!text)
		return NULL;
	to += sprintf(to, "tcp and src host ");
	to = put_addresses(to, o->who);
	to += sprintf(to, " and dst host ");
	to = put_addresses(to, o->who);
	if (o->filter)
		sprintf(to, " and (%s)", o->filter);
	return text;
}

static int set_filter(pcap_t *p, const struct pl_capture_options *o, struct pl_err *err)
{
	struct bpf_program program;
	char *text;
	int rc = 0;

	/* alone first: "tcp) or (udp" would make sense between brackets */
	if (o->filter) {
		if (pcap_compile(p, &program, o->filter, 0, PCAP_NETMASK_UNKNOWN))
			return pl_err_set(err, PL_EUSAGE, "filter \"%s\": %s", o->filter,
					  pcap_geterr(p));
		pcap_freecode(&program);
	}
	text = make_filter(o);
	if (!text)
		return pl_err_nomem(err);
	if (pcap_compile(p, &program, text, 1, PCAP_NETMASK_UNKNOWN)) {
		free(text);
		return pl_err_set(err, o->filter ? PL_EUSAGE : PL_ESYSTEM, "filter \"%s\": %s",
				  o->filter ? o->filter : "", pcap_geterr(p));
	}
	if (pcap_setfilter(p, &program))
		rc = pl_err_set(err, PL_ESYSTEM, "cannot set the filter: %s", pcap_geterr(p));
	pcap_freecode(&program);
	free(text);
	return rc;
}

/* libpcap lets a child inherit the socket and what wakes it. Its descriptors
 * are those that were not open before. */
#define FDS_LOOKED_AT 1024

static void find_open(bool is_open[FDS_LOOKED_AT])
{
	for (int fd = 0; fd < FDS_LOOKED_AT; fd++)
		is_open[fd] = fcntl(fd, F_GETFD) >= 0;
}

static void hide_others(const bool is_open[FDS_LOOKED_AT])
{
	for (int fd = 0; fd < FDS_LOOKED_AT; fd++)
		if (!is_open[fd] && fcntl(fd, F_GETFD) >= 0)
			fcntl(fd, F_SETFD, FD_CLOEXEC);
}

static int open_interface(struct capture *c, struct pl_err *err)
{
	char why[PCAP_ERRBUF_SIZE];
	bool is_open[FDS_LOOKED_AT];

	find_open(is_open);
	c->pcap = pcap_create(c->o->iface, why);
	if (!c->pcap)
		return pl_err_set(err, PL_ESYSTEM, "cannot capture on %s: %s", c->o->iface, why);
	if (activate(c->pcap, c->o->iface, err))
		return -1;
	hide_others(is_open);
	if (pl_link_of(pcap_datalink(c->pcap), &c->link))
		return pl_err_set(err, PL_ESYSTEM,
				  "%s: plink cannot read packets of this kind "
				  "of interface",
				  c->o->iface);
	if (set_filter(c->pcap, c->o, err))
		return -1;
	if (pcap_setnonblock(c->pcap, 1, why))
		return pl_err_set(err, PL_ESYSTEM, "%s: %s", c->o->iface, why);
	c->report->nanoseconds = pcap_get_tstamp_precision(c->pcap) == PCAP_TSTAMP_PRECISION_NANO;
	return 0;
}

static void write_packet(u_char *arg, const struct pcap_pkthdr *h, const u_char *data)
{
	struct capture *c = (struct capture *)arg;
	const struct pl_capture_frame frame = {data, h->caplen, h->len};
	struct pcap_pkthdr cut = *h;
	struct pl_segment s;

	if (pl_frame_parse(frame, c->link, &s) == PL_FRAME_TCP && s.header_bytes < cut.caplen)
		cut.caplen = (bpf_u_int32)s.header_bytes;
	pcap_dump((u_char *)c->dumper, &cut, data);
	c->report->packets++;
}

/* Writes what is there. */
static int take_packets(struct capture *c, struct pl_err *err)
{
	if (pcap_dispatch(c->pcap, -1, write_packet, (u_char *)c) < 0)
		return pl_err_set(err, PL_ESYSTEM, "%s: %s", c->o->iface, pcap_geterr(c->pcap));
	/* pcap_dump itself says nothing */
	if (pcap_dump_flush(c->dumper) || ferror(c->o->out))
		return pl_err_errno(err, "cannot write %s", c->o->out_name);
	return 0;
}

/* Reads and drops; true at the end. */
static bool has_ended(int fd)
{
	char buf[256];
	const ssize_t got = read(fd, buf, sizeof(buf));

	return got == 0 || (got < 0 && errno != EINTR && errno != EAGAIN);
}

static int serve(struct capture *c, struct pl_command *command, struct pl_err *err)
{
	struct pollfd fds[2] = {
		{.fd = pcap_get_selectable_fd(c->pcap), .events = POLLIN},
		{.fd = c->o->until_eof, .events = POLLIN},
	};

	for (;;) {
		if (*c->o->stop) {
			c->report->stopped = c->o->command != NULL;
			return 0;
		}
		if (poll(fds, 2, POLL_MS) < 0 && errno != EINTR)
			return pl_err_errno(err, "cannot wait");
		if (take_packets(c, err))
			return -1;
		if (c->o->command ? pl_command_has_ended(command)
				  : fds[1].revents && has_ended(fds[1].fd))
			return 0;
	}
}

static int run(struct capture *c, struct pl_err *err)
{
	struct pl_command command = {0, 0};
	struct pcap_stat stat;
	int rc = 0;

	if (c->o->ready && c->o->ready(c->o->arg, c->report->nanoseconds, err))
		return -1;
	c->dumper = pcap_dump_fopen(c->pcap, c->o->out);
	if (!c->dumper)
		return pl_err_set(err, PL_ESYSTEM, "%s", pcap_geterr(c->pcap));
	if (c->o->command)
		rc = pl_command_start(&command, c->o->command, PL_COMMAND_OUT_SAME, err);
	if (!rc)
		rc = serve(c, &command, err);
	pl_command_stop(&command);
	c->report->status = command.status;
	for (int i = 0; !rc && i < DRAINS; i++) {
		poll(NULL, 0, POLL_MS);
		rc = take_packets(c, err);
	}
	if (!rc && pcap_stats(c->pcap, &stat) == 0)
		c->report->dropped = stat.ps_drop;
	return rc;
}

int pl_capture_run(const struct pl_capture_options *o, struct pl_capture_report *report,
		   struct pl_err *err)
{
	struct capture c = {.o = o, .report = report};
	int rc;

	memset(report, 0, sizeof(*report));
	rc = open_interface(&c, err);
	if (!rc)
		rc = run(&c, err);
	/* the dumper's file is the caller's: flushed, not closed with it */
	if (c.pcap)
		pcap_close(c.pcap);
	return rc;
}
