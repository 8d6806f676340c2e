/* SPDX-License-Identifier: BSD-3-Clause */
/* label.h - the names of hosts and racks beside a drawing, as room allows */
#ifndef PLINK_REPORT_LABEL_H
#define PLINK_REPORT_LABEL_H

#include "report/map.h"
#include "report/report.h"

#define PL_LABEL_CHARS PL_REPORT_RACK
#define PL_LABELS_MAX 128

struct pl_label {
	double pos; /* in an order; a rack's is the middle of its hosts */
	char text[PL_LABEL_CHARS];
};

/* The label of @host in at most @room characters (4 at least): without the domain that all hosts
 * have, and with an ellipsis where it is still too long. Returns @buf. */
const char *pl_label_short(char buf[PL_LABEL_CHARS], const struct pl_report *r, size_t host,
			   size_t room);

/*
 * The labels of @order of which no two are nearer to each other than the hosts of an order of @most
 * hosts (below PL_LABELS_MAX): all hosts, if they are not more; else the racks' names where so many
 * hosts of a rack stand together that this has room, and some of the others. Returns their number.
 */
size_t pl_labels_find(struct pl_label v[PL_LABELS_MAX], const struct pl_report *r,
		      const struct pl_map_order *order, size_t most, size_t room);

#endif
