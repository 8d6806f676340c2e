/* SPDX-License-Identifier: BSD-3-Clause */
/* label.h - the names of hosts in rows: "name", or "name:port" */
#ifndef PLINK_BASE_MATRIX_LABEL_H
#define PLINK_BASE_MATRIX_LABEL_H

#include "base/matrix/matrix.h"

/* Do all hosts differ in name, or, among hosts of one name, in port? 0, or -1 with @err set to
 * @place. */
int pl_labels_check(const struct pl_hosts *hosts, struct pl_place place, struct pl_err *err);

/* A distinct word for each host: its name, with the port if several hosts have that name. NULL with
 * @err set: PL_EINPUT if not even the ports differ. Release with pl_labels_destroy. */
char **pl_labels_create(const struct pl_hosts *hosts, struct pl_err *err);

void pl_labels_destroy(char **label, size_t n);

/* Does the label include the port? */
bool pl_label_has_port(const char *label, const struct pl_host *host);

/* Adds the host that the label names, with one slot. 0, or -1 with @err set. */
int pl_label_add(struct pl_hosts *hosts, const struct pl_word *label, struct pl_err *err);

#endif
