# SPDX-License-Identifier: BSD-3-Clause
# layer.sh - cells of the matrix in $tmp/out; source it after tap.sh

# layer NAME: its cells as lines "from to value"; p10 is the first
layer() {
	awk -v want="$1" 'BEGIN { l = "p10" } /^# layer/ { l = $3; next }
		/^#/ { next }
		l == want { name[++r] = $1; line[r] = $0 }
		END { for (i = 1; i <= r; i++) {
			split(line[i], c, " ")
			for (j = 1; j <= r; j++)
				if (i != j) print name[i], name[j], c[j + 1]
		} }' "$tmp/out"
}
