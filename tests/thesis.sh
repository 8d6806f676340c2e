# SPDX-License-Identifier: BSD-3-Clause
# thesis.sh - $order is plink-order for the thesis' ring, judged by what its hops
# cost: for tests of something else than what libraries run. Source it after tap.sh;
# a later --impl has its way.
mkdir "$tmp/thesis"
order=$tmp/thesis/plink-order
printf '#!/bin/sh\nexec "%s" --impl=thesis "$@"\n' "$builddir/plink-order" \
	>"$order"
chmod +x "$order"
