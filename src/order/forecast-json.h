/* SPDX-License-Identifier: BSD-3-Clause */
/* forecast-json.h - --predict as JSON */
#ifndef PLINK_SRC_ORDER_FORECAST_JSON_H
#define PLINK_SRC_ORDER_FORECAST_JSON_H

#include "base/hosts/hosts.h"
#include "src/order/output.h"

#include <jansson.h>
#include <stddef.h>

/* The JSON member "predict" of an answer with a forecast. A new reference; NULL: out of memory. */
json_t *pl_reorder_json_forecast(const struct pl_reorder_answer *a);

/* The names of the hosts, in the order given (host_at is NULL) or by pos. A new reference; NULL:
 * out of memory. */
json_t *pl_reorder_json_names(const struct pl_hosts *hosts, const size_t *host_at);

#endif
