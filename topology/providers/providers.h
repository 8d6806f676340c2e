/* SPDX-License-Identifier: BSD-3-Clause */
/* providers.h - the file formats that tell where hosts stand */
#ifndef PLINK_TOPOLOGY_PROVIDERS_PROVIDERS_H
#define PLINK_TOPOLOGY_PROVIDERS_PROVIDERS_H

#include "base/err.h"
#include "base/text/text.h"
#include "topology/places.h"

#include <stdbool.h>

/*
 * Is a text in this format? Tells it by the first line that is neither empty nor a comment.
 */
typedef bool pl_provider_test(const struct pl_line *line);
pl_provider_test pl_provider_is_json;
pl_provider_test pl_provider_is_slurm;
pl_provider_test pl_provider_is_slurm_addr;
pl_provider_test pl_provider_is_groups;
pl_provider_test pl_provider_is_nvidia_smi;
pl_provider_test pl_provider_is_ftree;
pl_provider_test pl_provider_is_ibnet;
pl_provider_test pl_provider_is_yaml;

/*
 * A reader of one format: adds the hosts to @p, which must be empty, and sets p->form. 0, or -1
 * with @err set; the caller then clears @p.
 */
typedef int pl_provider_reader(struct pl_places *p, struct pl_text *text, struct pl_err *err);
pl_provider_reader pl_provider_json;       /* JSON of EC2, Google Cloud, Kubernetes,
					    * OCI, topograph, Volcano and
					    * plink-groups */
pl_provider_reader pl_provider_groups;     /* what plink-groups prints */
pl_provider_reader pl_provider_slurm;      /* Slurm's topology.conf, tree or block */
pl_provider_reader pl_provider_slurm_addr; /* SLURM_TOPOLOGY_ADDR of tasks */
pl_provider_reader pl_provider_nvidia_smi; /* "HOST: ClusterUUID : ..." */
pl_provider_reader pl_provider_ftree;      /* opensm-ftree-ca-order.dump */
pl_provider_reader pl_provider_ibnet;      /* what ibnetdiscover prints */
pl_provider_reader pl_provider_yaml;       /* Slurm's topology.yaml; of any other
					    * YAML it says what to print instead */
pl_provider_reader pl_provider_plain;      /* "host label/label" a line */

#endif
