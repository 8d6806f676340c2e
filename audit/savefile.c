/* SPDX-License-Identifier: BSD-3-Clause */
/* savefile.c - captures in files: pcap and pcapng */
#include "config.h"

#include "audit/savefile.h"

#include <pcap.h>
#include <stdio_ext.h>

#define BUFFER_BYTES (1 << 18)

#define SECONDS_MAX 9000000000 /* since 1970; in ns below 2^63 */

FILE *pl_savefile_open(const char *path)
{
	FILE *f = fopen(path, "re");

	/* a packet is two small reads: no lock for each, no page at a time */
	if (f) {
		__fsetlocking(f, FSETLOCKING_BYCALLER);
		setvbuf(f, NULL, _IOFBF, BUFFER_BYTES);
	}
	return f;
}

static int link_of(int dlt, enum pl_capture_link *link)
{
	static const struct {
		int dlt;
		enum pl_capture_link link;
	} links[] = {
		{DLT_EN10MB, PL_LINK_ETHERNET}, {DLT_RAW, PL_LINK_RAW},
		{DLT_IPV4, PL_LINK_RAW},        {DLT_IPV6, PL_LINK_RAW},
		{DLT_LINUX_SLL, PL_LINK_SLL},   {DLT_NULL, PL_LINK_LOOP},
		{DLT_LINUX_SLL2, PL_LINK_SLL2}, {DLT_LOOP, PL_LINK_LOOP},
	};

	for (size_t i = 0; i < sizeof(links) / sizeof(*links); i++)
		if (links[i].dlt == dlt) {
			*link = links[i].link;
			return 0;
		}
	return -1;
}

static int bad(const struct pl_trace *t, struct pl_err *err, const char *why)
{
	return pl_err_at(err, (struct pl_place){.file = t->name}, "%s", why);
}

static bool is_stopped(const struct pl_trace *t)
{
	return t->stop && *t->stop;
}

/* pcapng may say any stamp. No difference of two that are taken overflows. */
static int take_stamp(const struct timeval *ts, int64_t *ns)
{
	if (ts->tv_sec < 0 || ts->tv_sec > SECONDS_MAX)
		return -1;
	*ns = (int64_t)ts->tv_sec * 1000000000 + (int64_t)ts->tv_usec;
	return 0;
}

/* Stamps are in ns: pcap brings those of files in us up to it. */
static int read_packets(struct pl_trace *t, pcap_t *p, enum pl_capture_link link,
			struct pl_err *err)
{
	struct pcap_pkthdr *h;
	const u_char *data;
	int rc = 0;

	while (!is_stopped(t) && (rc = pcap_next_ex(p, &h, &data)) == 1) {
		const struct pl_capture_frame frame = {data, h->caplen, h->len};
		int64_t ns;

		if (take_stamp(&h->ts, &ns))
			return bad(t, err, "a packet's time is out of range");
		if (pl_trace_add(t, ns, frame, link))
			return pl_err_nomem(err);
	}
	if (is_stopped(t))
		return pl_err_set(err, PL_EPARTIAL, "interrupted");
	if (rc != PCAP_ERROR_BREAK)
		return bad(t, err, pcap_geterr(p));
	return pl_trace_end(t) ? pl_err_nomem(err) : 0;
}

int pl_savefile_read(struct pl_trace *t, FILE *f, struct pl_err *err)
{
	char why[PCAP_ERRBUF_SIZE];
	enum pl_capture_link link;
	pcap_t *p;
	int rc;

	p = pcap_fopen_offline_with_tstamp_precision(f, PCAP_TSTAMP_PRECISION_NANO, why);
	if (!p) {
		fclose(f);
		return is_stopped(t) ? pl_err_set(err, PL_EPARTIAL, "interrupted")
				     : bad(t, err, why);
	}
	if (link_of(pcap_datalink(p), &link))
		rc = pl_err_at(err, (struct pl_place){.file = t->name},
			       "captures of link type %s cannot be read, only Ethernet, Linux "
			       "cooked and raw IP",
			       pcap_datalink_val_to_name(pcap_datalink(p))
				       ? pcap_datalink_val_to_name(pcap_datalink(p))
				       : "unknown");
	else
		rc = read_packets(t, p, link, err);
	pcap_close(p);
	return rc;
}
