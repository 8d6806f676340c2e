# SPDX-License-Identifier: BSD-3-Clause
# Tests of python/.
TOOL_TESTS += tests/python/1500-c10d.t tests/python/1510-torchrun.t \
	tests/python/1520-ray.t tests/python/1525-dask.t \
	tests/python/1530-hub.t
EXTRA_DIST += tests/python/asked.py tests/python/ddp.py tests/python/elastic.py \
	tests/python/hub.py tests/python/start.py tests/python/warm.py tests/python/warm.sh
