/* SPDX-License-Identifier: BSD-3-Clause */
/* make-capture.c - a capture made by hand, for the tests of plink-audit */
/*
 * usage: make-capture LINK ns|us >FILE
 *
 * LINK: ethernet, vlan, raw, sll, sll2. A TCP packet a line on standard input:
 *
 *	NS SRC SRC-PORT DST DST-PORT FLAGS SEQ BYTES
 *
 * FLAGS: S, SA, A. BYTES of payload, none of which is in the capture.
 */
#include "config.h"

#include <arpa/inet.h>
#include <pcap.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct packet {
	uint8_t data[256];
	size_t n;
};

struct line {
	long long ns;
	char src[64], dst[64], flags[4];
	unsigned src_port, dst_port, seq, bytes;
};

static void put(struct packet *p, unsigned long value, int n_bytes)
{
	for (int i = n_bytes - 1; i >= 0; i--)
		p->data[p->n++] = (uint8_t)(value >> (8 * i));
}

static int put_address(struct packet *p, const char *s)
{
	const int family = strchr(s, ':') ? AF_INET6 : AF_INET;

	if (inet_pton(family, s, p->data + p->n) != 1)
		return -1;
	p->n += family == AF_INET6 ? 16 : 4;
	return 0;
}

static int put_ip(struct packet *p, const struct line *l)
{
	const int v6 = strchr(l->src, ':') != NULL;

	if (v6) {
		put(p, 0x60000000, 4);
		put(p, 20 + l->bytes, 2);
		put(p, 0x0640, 2); /* TCP */
	} else {
		put(p, 0x4500, 2);
		put(p, 40 + l->bytes, 2);
		put(p, 0x00004000, 4); /* not to be cut up */
		put(p, 0x40060000, 4); /* TCP */
	}
	return put_address(p, l->src) || put_address(p, l->dst) ? -1 : 0;
}

static void put_tcp(struct packet *p, const struct line *l)
{
	const unsigned syn = strchr(l->flags, 'S') ? 0x02 : 0;
	const unsigned ack = strchr(l->flags, 'A') ? 0x10 : 0;

	put(p, l->src_port, 2);
	put(p, l->dst_port, 2);
	put(p, l->seq, 4);
	put(p, 0, 4);
	put(p, 0x5000 | syn | ack, 2);
	put(p, 65535, 2);
	put(p, 0, 4);
}

static void put_link(struct packet *p, const char *link, const struct line *l)
{
	const unsigned type = strchr(l->src, ':') ? 0x86dd : 0x0800;

	if (!strcmp(link, "ethernet") || !strcmp(link, "vlan")) {
		put(p, 0, 6);
		put(p, 0, 6);
		if (!strcmp(link, "vlan"))
			put(p, 0x81000007, 4);
		put(p, type, 2);
	} else if (!strcmp(link, "sll")) {
		put(p, 0x00000001, 4);
		put(p, 6, 2);
		put(p, 0, 8);
		put(p, type, 2);
	} else if (!strcmp(link, "sll2")) {
		put(p, type, 2);
		put(p, 0, 8);
		put(p, 0, 2);
		put(p, 0, 8);
	}
}

static int dlt_of(const char *link)
{
	if (!strcmp(link, "sll"))
		return DLT_LINUX_SLL;
	if (!strcmp(link, "sll2"))
		return DLT_LINUX_SLL2;
	return strcmp(link, "raw") ? DLT_EN10MB : DLT_RAW;
}

static int write_line(pcap_dumper_t *out, const char *link, int is_ns, const struct line *l)
{
	struct packet p = {.n = 0};
	struct pcap_pkthdr h = {.ts = {l->ns / 1000000000, 0}};

	h.ts.tv_usec = l->ns % 1000000000 / (is_ns ? 1 : 1000);
	put_link(&p, link, l);
	if (put_ip(&p, l))
		return -1;
	put_tcp(&p, l);
	h.caplen = (bpf_u_int32)p.n;
	h.len = h.caplen + l->bytes;
	pcap_dump((u_char *)out, &h, p.data);
	return 0;
}

int main(int argc, char **argv)
{
	const int is_ns = argc == 3 && !strcmp(argv[2], "ns");
	struct line l;
	pcap_dumper_t *out;
	pcap_t *p;
	int got;

	if (argc != 3)
		return 2;
	p = pcap_open_dead_with_tstamp_precision(dlt_of(argv[1]), 256,
						 is_ns ? PCAP_TSTAMP_PRECISION_NANO
						       : PCAP_TSTAMP_PRECISION_MICRO);
	out = p ? pcap_dump_fopen(p, stdout) : NULL;
	if (!out)
		return 4;
	while ((got = scanf("%lld %63s %u %63s %u %3s %u %u", &l.ns, l.src, &l.src_port, l.dst,
			    &l.dst_port, l.flags, &l.seq, &l.bytes)) == 8)
		if (write_line(out, argv[1], is_ns, &l))
			return 3;
	if (got != EOF)
		return 3;
	pcap_close(p);
	return fflush(stdout) ? 4 : 0;
}
