/* SPDX-License-Identifier: BSD-3-Clause */
/* help.h - the text of plink-audit --help */
#ifndef PLINK_SRC_AUDIT_HELP_H
#define PLINK_SRC_AUDIT_HELP_H

extern const char audit_help[];

#endif
