# SPDX-License-Identifier: BSD-3-Clause
# middle.awk - the middle and other quantiles of "a b c ..."

# the list's numbers, sorted, to v[1...]; returns how many they are
function sorted(list, v, k, i, j, t) {
	k = split(list, v, " ")
	for (i = 2; i <= k; i++)
		for (j = i; j > 1 && v[j - 1] + 0 > v[j] + 0; j--) {
			t = v[j]
			v[j] = v[j - 1]
			v[j - 1] = t
		}
	lowest = v[1]
	highest = v[k]
	return k
}

function middle(list, v, k) {
	k = sorted(list, v)
	return k % 2 ? v[(k + 1) / 2] : (v[k / 2] + v[k / 2 + 1]) / 2
}

# the least number that has p of them up to it
function quantile(list, p, v, k) {
	k = p * sorted(list, v)
	k = k > int(k) ? int(k) + 1 : k
	return v[k < 1 ? 1 : k]
}
