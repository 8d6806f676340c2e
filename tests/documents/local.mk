# SPDX-License-Identifier: BSD-3-Clause
# Tests of the manual, the documents and the tree.
TOOL_TESTS += \
	tests/documents/0010-style.t tests/documents/0011-format.t \
	tests/documents/0012-direction.t \
	tests/documents/0014-names.t tests/documents/0016-exports.t \
	tests/documents/0020-man.t tests/documents/0022-installed.t \
	tests/documents/1440-documents.t \
	tests/documents/1442-documents-machines.t \
	tests/documents/1444-documents-slurm.t \
	tests/documents/1446-documents-trouble.t \
	tests/documents/1448-documents-srift.t
EXTRA_DIST += \
	tests/documents/absent tests/documents/blocks.py tests/documents/machines.sh \
	tests/documents/messages.py
