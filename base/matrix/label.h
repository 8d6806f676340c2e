/* SPDX-License-Identifier: BSD-3-Clause */
/* label.h - how rows call their hosts: "name", or "name:port" */
#ifndef PLINK_BASE_MATRIX_LABEL_H
#define PLINK_BASE_MATRIX_LABEL_H

#include "base/matrix/matrix.h"

/* Can all hosts be told apart, by name or, where each of one name has one, by
 * port? 0, or -1 with @err set to @place. */
int pl_labels_check(const struct pl_hosts *hosts, struct pl_place place,
		    struct pl_err *err);

/* A word for each host, by which no other goes: its name, with the port where
 * several have that name. NULL with @err set: PL_EINPUT where ports do not tell
 * them apart. Release with pl_labels_destroy. */
char **pl_labels_create(const struct pl_hosts *hosts, struct pl_err *err);

void pl_labels_destroy(char **label, size_t n);

/* Does the label say the port, too? */
bool pl_label_has_port(const char *label, const struct pl_host *host);

/* Adds the host that the label stands for, one slot. 0, or -1 with @err set. */
int pl_label_add(struct pl_hosts *hosts, const struct pl_word *label,
		 struct pl_err *err);

#endif
