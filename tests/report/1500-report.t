#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1500-report.t - pages and pictures of orders: whole, right, and nobody's script
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
. "$srcdir/tests/thesis.sh"
report=$builddir/plink-report
cd "$tmp" || exit 99
export srcdir

# What runs check.py for each line to it, in a process of its own: a fork, so that
# Python and report.py start once. It tells the status; it ends with this script.
cat >checks.py <<'END'
import os
import sys
import traceback

sys.path.insert(0, os.environ["srcdir"] + "/tests/report")
from report import *

for _ in sys.stdin:
    pid = os.fork()
    if pid == 0:
        try:
            exec(compile(open("check.py").read(), "check.py", "exec"), globals())
        except BaseException:
            traceback.print_exc()
            os._exit(1)
        sys.stdout.flush()
        os._exit(0)
    print(os.waitpid(pid, 0)[1], flush=True)
END
mkfifo asks statuses
python3 checks.py <asks >statuses 2>>said &
exec 5>asks 6<statuses
# check WHAT PYTHON: the lines run without an exception
checked() {
	: >said
	echo >&5
	read -r status <&6
	cat said
	[ "$status" = 0 ]
}
check() {
	printf '%s\n' "$2" >check.py
	ok "$1" checked
}

# Twenty hosts in racks of five, some pairs missing, markup in every text there is.
python3 - >matrix <<'END'
import random
random.seed(7)
rack = [i % 4 for i in range(20)]
nasty = '</script><script>alert(1)</script><!-- "&amp;\' \xe9'
print('# plink-matrix 1\n# quantity rtt\n# unit us\n# statistic p10')
print('# method', nasty)
missing = [(1, 2), (2, 1), (7, 3), (19, 0)]
for i in range(20):
    print('h%d' % i, *['nan' if (i, j) in missing else 0 if i == j else
        round((100 if rack[i] == rack[j] else 1000) * random.uniform(1, 1.2), 3)
        for j in range(20)])
for i, j in missing:
    print('# cell h%d h%d %s' % (i, j, nasty))
print('# layer p50</p> rtt us')
for i in range(20):
    print('h%d' % i, *[0 if i == j else 7 * i + j for j in range(20)])
END
"$order" --matrix=matrix --missing=worst --plan=plan --report=page.html \
	--report=page.html -o hostfile 2>err
is "plink-order writes a page: exit 0" "$? $(grep -c . hostfile)" "0 20"
check "the page is well formed, loads nothing, has its parts" '
p = Page(open("page.html").read())
for i in ("maps", "readout", "racks", "asked", "effect", "command", "hosts",
          "plink-data"):
    assert i in p.ids, i
assert len(p.scripts) == 2, len(p.scripts)
assert "alert(1)" in p.text and "alert" not in p.scripts[1]
assert "Racks found: 4" in p.text and "4 missing" in p.text
assert "4 pairs were not measured" in p.text'
check "its numbers are the matrix, bit for bit in single precision" '
d = Page(open("page.html").read()).data()
names, rows = read_matrix("matrix")
assert d["hosts"] == names
got = cells(d["layers"][0], 20)
assert all(same(rows[i][j], got[20 * i + j]) for i in range(20) for j in range(20))
p50 = cells(d["layers"][1], 20)
assert d["layers"][1]["statistic"] == "p50</p>" and p50[20 * 3 + 4] == 25
assert len(d["notes"]) == 12 and len(d["texts"]) == 1
assert d["notes"][:3] == [1, 2, 0] and d["texts"][0].startswith("</script>")
assert d["racks"] == [i % 4 for i in range(20)]'
check "its maps are the matrix in both orders, by one scale" '
p = Page(open("page.html").read())
names, rows = read_matrix("matrix")
found = orders_of("plan")[0]
assert p.data()["orders"] == [list(range(20)), found]
given_map, found_map = [png_of(i) for i in p.images]
check_map(given_map[2], range(20), rows)
check_map(found_map[2], found, rows)
for i in range(20):
    for j in range(20):
        assert found_map[2][i][j] == given_map[2][found[i]][found[j]]'
check "hops of both rings: as many as hosts, the slow ones counted right" '
p = Page(open("page.html").read())
names, rows = read_matrix("matrix")
hops = [a["class"] for t, a in p.tags if t == "path"]
assert len(hops) == 40, len(hops)
found = orders_of("plan")[0]
def slow(order):
    return sum(i % 4 != j % 4 for i, j in zip(order, order[1:] + order[:1]))
assert sum("slow" in h for h in hops[:20]) == slow(list(range(20)))
assert sum("slow" in h for h in hops[20:]) == slow(found) == 4
assert "4 of 20 hops are slow" in p.text
# a line and an arrow head, which is at the end of its line
for d in (a["d"] for t, a in p.tags if t == "path"):
    line, head = d.split("M")[1:]
    assert line.split()[-2:] == ["%s" % x for x in
        head.split("L")[1].split()], d
check_drawings(open("page.html").read(), 2)
# racks at the left of the maps, a bar for each run of hosts
bars = [(float(a["y"]), float(a["height"])) for t, a in p.tags
        if t == "rect" and a.get("width") == "6"]
runs = [len(list(run)) for order in (range(20), found)
        for _, run in itertools.groupby(order, lambda i: i % 4)]
assert [h / 25 for _, h in bars] == runs
assert [y for y, _ in bars] == [134 + 25 * (sum(runs[:k]) % 20) for k in range(len(runs))]'
has "the command keeps the order" "$(cat page.html)" \
	"--hostfile hostfile --map-by seq -np 20 ./app"
check "costs are those of the plan" '
p = Page(open("page.html").read())
line = [l for l in open("plan") if l.startswith("order")][0]
given, cost, bound = [float(re.search(" %s=([0-9.e+]+)" % key, line).group(1)) / 1000
                      for key in ("given", "cost", "bound")]
for value in (given, cost, bound):
    assert "%.4g ms" % value in p.text, value
assert "%.1f\xa0%% less" % (100 * (1 - cost / given)) in p.text
assert "gap is %.2f\xa0%%" % (100 * (cost / bound - 1)) in p.text
widths = [a["style"] for t, a in p.tags if a.get("style", "").startswith("width")]
assert widths == ["width:%.2f%%" % (100 * x / given) for x in (given, cost, bound)], widths'

"$report" -o again.html matrix plan
is "plink-report writes the same from files" $? 0
check "with the same maps and numbers" '
a, b = [Page(open(f).read()) for f in ("page.html", "again.html")]
assert a.images == b.images
assert a.data() == b.data()'
"$report" -o bare.html matrix
check "a matrix without a plan" '
p = Page(open("bare.html").read())
assert len(p.images) == 1 and len(p.data()["orders"]) == 1'

"$order" --matrix=matrix --missing=worst --report=map.svg -o hostfile 2>err
is "--report=map.svg: exit 0" $? 0
check "the SVG is XML and has both maps, enlarged, with names of axes and hosts" '
import xml.etree.ElementTree as ET
root = ET.parse("map.svg").getroot()
assert root.tag == "{http://www.w3.org/2000/svg}svg"
images = [e.get("href") for e in root.iter() if e.tag.endswith("}image")]
small = [png_of(i)[2] for i in Page(open("page.html").read()).images]
for large, rows in zip([png_of(i) for i in images], small):
    zoom = large[0] // 20
    assert zoom > 20 and large[0] == large[1] == 20 * zoom
    assert [row[::zoom] for row in large[2][zoom - 1::zoom]] == rows
texts = [e.text for e in root.iter() if e.tag.endswith("}text")]
for name, times in (("from", 2), ("to", 2), ("h7", 4), ("missing", 1)):
    assert texts.count(name) == times, (name, texts.count(name))
title, = [e.text for e in root if e.tag.endswith("}title")]
assert re.match(r"allreduce ring \(thesis\): hops cost [0-9.]+ % less, "
                r"[0-9.]+ ms instead of [0-9.]+ ms$", title), title
assert title in texts and title in Page(open("page.html").read()).text'
"$order" --matrix=matrix --missing=worst --report=map.png -o none 2>err
is "no PNG: exit 2, and what makes one" "$? $(cat err) $(ls map.png none 2>/dev/null)" "2 \
plink-order: --report: PNG is not written: write FILE.svg, then rsvg-convert FILE.svg >map.png; \
see plink-order --help "
"$report" -o map.PNG matrix 2>err
has "plink-report, too" "$? $(cat err)" "2 plink-report: --output: PNG is not written: write"

# shapes that are no rings
"$order" --matrix=matrix --missing=worst --algorithm=double-binary-tree \
	--report=tree.html -o hostfile 2>err
check "two trees, drawn as such" '
p = Page(open("tree.html").read())
trees = [a for t, a in p.tags if t == "svg" and "tree" in a.get("class", "")]
assert len(trees) == 4, len(trees)
check_drawings(open("tree.html").read(), 4)
assert sum(t == "path" for t, a in p.tags) == 4 * 19'
# predicted, of six of the hosts
seq -f 'h%g' 0 5 >six
"$order" --matrix=matrix --missing=worst --impl=openmpi --predict --nic=10G \
	--size=2k,1M --report=times.html six 2>err >table
check "predicted times stand on the page" '
p = Page(open("times.html").read())
assert "times" in p.ids and "rabenseifner" in p.text and "fastest" in p.text
assert "predicted time of allreduce, by size" in p.text
assert "allreduce of 1 MiB by default" in p.text, p.text[:200]'
"$order" --matrix=matrix --missing=worst --impl=openmpi --nic=10G \
	--size=2k,1M --report=gain.html -o hostfile six 2>err
check "the title says the gain in time, of the largest size" '
p = Page(open("gain.html").read())
title = re.search("allreduce of 1 MiB: ([0-9.]+) times as fast, "
                  r"([0-9.]+ ms) instead of ([0-9.]+ ms) \(predicted\)", p.text)
assert title, p.text[:200]
given, found = [float(title[k].split()[0]) for k in (3, 2)]
assert abs(given / found - float(title[1])) < 0.06
# the bars of a size: the longer one has all the room
wide = [float(a["width"]) for t, a in p.tags if t == "rect" and a.get("height") == "13"]
assert len(wide) == 4 and max(wide[2:]) == max(wide[:2]) == 326, wide
assert abs(wide[3] / wide[2] - found / given) < 0.01, (wide, found, given)
assert p.text.count(title[2]) >= 2 and "2k" in p.text'
"$order" --matrix=matrix --missing=worst --impl=openmpi --size=1M \
	--report=latency.html -o hostfile six 2>err
check "but not where no bandwidth is known" '
text = Page(open("latency.html").read()).text
assert "times as fast" not in text and "hops cost" not in text
assert "No time is predicted for 1M: it depends on rates" in text'
"$order" --matrix=matrix --missing=worst --choose=8 --report=eight.html \
	-o hostfile 2>err
check "of hosts chosen the found map has those" '
p = Page(open("eight.html").read())
assert len(p.data()["orders"][1]) == 8
assert [png_of(i)[0] for i in p.images] == [20, 8]'

# what is refused, and leaves nothing
sed 's/^\(host [0-9]* \)h/\1x/' plan >others
sed -e '/^host 19/d' -e 's/ 19 / /; s/: 19 /: /; s/ 19$//' plan >fewer
refuses() {
	status=$1
	words=$2
	shift 2
	"$@" >out 2>err
	is "$*: exit $status" $? "$status"
	has "$*: says why" "$(cat err)" "$words"
	is "$*: nothing is left" "$(ls new.* 2>/dev/null; cat out)" ""
}
refuses 3 'host "x0" is not in matrix' "$report" -o new.html matrix others
refuses 3 "make a report of each" "$report" -o new.html matrix plan others
refuses 3 "make a report of each" "$report" -o new.html matrix plan fewer
refuses 2 "a matrix or a statistics file is wanted" "$report" -o new.html
refuses 2 "ends neither in .html" "$report" -o new.pdf matrix
refuses 2 "ends neither in .html" "$order" --matrix=matrix --report=new
refuses 2 "must differ" "$order" --matrix=matrix --plan=new.html \
	--report=new.html
refuses 2 "plink-report draws any plan" "$order" --matrix=matrix \
	--cost-of=plan --report=new.html
refuses 4 "No such file" "$report" -o new.html absent
refuses 4 "cannot write" "$report" -o absent/new.html matrix
refuses 4 "cannot write" "$order" --matrix=matrix --missing=worst \
	--plan=new.plan --report=absent/new.html
sed 's/ ring thesis / oak thesis /' plan >oak
refuses 3 'no algorithm "oak"' "$report" -o new.html matrix oak
"$report" -o /dev/full matrix 2>err
is "/dev/full is no .html" $? 2
ln -s /dev/full full.html
"$report" -o full.html matrix 2>err
is "a disk that is full: exit 4" $? 4

# many hosts, a thousand missing cells
python3 - >large <<'END'
import random
random.seed(3)
n = 650
missing = set()
while len(missing) < 1000:
    i, j = random.randrange(n), random.randrange(n)
    if i != j:
        missing.add((i, j))
print('# plink-matrix 1\n# quantity rtt\n# unit us')
for i in range(n):
    print('h%d' % i, *['nan' if (i, j) in missing else 0 if i == j else
        100 + (i * j) % 7 if i % 10 == j % 10 else 1000 + (i * j) % 90
        for j in range(n)])
END
"$report" -o large.html large
is "650 hosts" $? 0
check "four pairs a point, said; racks right; all numbers there" '
p = Page(open("large.html").read())
assert "2 x 2 pairs" in p.text and "1000 missing" in p.text
picture = png_of(p.images[0])
assert picture[0] == 325
d = p.data()
assert d["racks"] == [i % 10 for i in range(650)]
names, rows = read_matrix("large")
flat = [x for row in rows for x in row]
assert base64.b64decode(d["layers"][0]["cells"]) == \
    struct.pack("<%df" % len(flat), *flat)
labels = sorted(float(a["y"]) for t, a in p.tags if t == "text" and
                a.get("text-anchor") == "end")
assert len(labels) > 30, labels
assert all(b - a > 12 for a, b in zip(labels, labels[1:])), labels
red = sum(row.count(MISSING) for row in picture[2])
assert 950 < red <= 1000, red'
done_testing
