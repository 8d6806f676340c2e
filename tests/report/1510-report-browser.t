#!/bin/sh
# SPDX-License-Identifier: BSD-3-Clause
# 1510-report-browser.t - the page in Chromium: no complaint, hover, keys, dark, print
. "${srcdir:-$(dirname "$0")/../..}/tests/tap.sh"
PATH=$PATH:/usr/sbin:/sbin
cd "$tmp" || exit 99
command -v chromium >/dev/null 2>&1 || skip_all "no chromium here"

cat >matrix <<'END'
# plink-matrix 1
# quantity rtt
# unit us
# statistic p10
a 0 10 100 nan
b 11 0 120 130
c 100 120 0 12.5
d 105 130 13 0
# cell a d no <b>reply</b></script><script>document.title='lost'</script>
# layer p50 rtt us
a 0 20 200 nan
b 21 0 220 230
c 200 220 0 22.5
d 205 230 23 0
END
"$builddir/plink-order" --matrix=matrix --missing=worst --symmetrize=none --nic=10G \
	--report=page.html --plan=plan -o hostfile 2>err
is "a page is written" $? 0

cat >drive.py <<'END'
import os, sys
sys.path.insert(0, os.environ['srcdir'] + '/tests/report')
from devtools import Browser
b = Browser(os.getcwd())

def say(name, good, what=''):
    print(('pass' if good else 'fail') + '\t' + name + '\t' + str(what))

def cell(map_number, row, col, n=4):
    box = b.value('''(function () { const box = document.querySelectorAll(
        'svg.map image')[%d].getBoundingClientRect();
        return [box.left, box.top, box.width, box.height]; })()''' % map_number)
    return (box[0] + box[2] * (col + .5) / n, box[1] + box[3] * (row + .5) / n)

readout = "document.getElementById('readout').textContent"
shown = "Array.from(document.querySelectorAll('.cursor')).filter(" \
    "c => c.style.display !== 'none').length"
try:
    b.open('file://' + os.getcwd() + '/page.html')
    say('no complaint', not b.complaints(), b.complaints())
    say('markup in a note is no script',
        b.value('document.title').startswith('allreduce of '),
        b.value('document.title'))
    b.value("document.querySelector('svg.map').scrollIntoView()")
    say('no pair is marked at first', b.value(shown) == 0)

    b.point(*cell(0, 1, 2))
    text = b.value(readout)
    say('hover tells the pair', 'b \u2192 c' in text, text)
    say('hover tells its racks', 'rack 1 to rack 2' in text, text)
    say('hover tells every statistic',
        'p10 120 us; p50 220 us' in text, text)
    say('the pair is marked in both maps', b.value(shown) == 4)
    b.point(*cell(0, 2, 3))
    say('fractions are kept', 'p10 12.5 us' in b.value(readout),
        b.value(readout))
    b.point(*cell(0, 0, 3))
    text = b.value(readout)
    say('what is missing is told, and why, as text', 'p10 missing' in text and
        "no <b>reply</b></script>" in text, text)
    b.point(2, 2)
    say('and nothing once it has left', b.value(shown) == 0)

    order = [line.split(':')[-1].split() for line in open('plan')
             if line.startswith('order')][0]
    names = ['abcd'[int(k)] for k in order]
    b.point(*cell(1, 0, 1))
    text = b.value(readout)
    say('the found map has the found order',
        '%s \u2192 %s' % (names[0], names[1]) in text, text)
    b.point(2, 2)

    b.key('Tab')
    for _ in range(20):
        if b.value("document.activeElement.matches('svg.map')"):
            break
        b.call('Input.dispatchKeyEvent', type='keyDown', key='Tab', code='Tab',
               windowsVirtualKeyCode=9)
    say('maps can be reached by Tab',
        b.value("document.activeElement.matches('svg.map')"))
    say('focus tells the pair pointed at last', 'a \u2192 d' in b.value(readout),
        b.value(readout))
    b.key('ArrowDown')
    b.key('ArrowLeft')
    say('arrow keys move', 'b \u2192 c' in b.value(readout), b.value(readout))
    b.key('Home')
    say('Home goes to the first', 'b \u2192 a' in b.value(readout),
        b.value(readout))
    for _ in range(9):
        b.key('ArrowDown')
    say('and stays within the map', 'd \u2192 a' in b.value(readout),
        b.value(readout))
    b.key('Escape')
    say('Escape ends it', b.value(shown) == 0)

    back = "getComputedStyle(document.body).backgroundColor"
    b.media(prefers_color_scheme='dark')
    dark = b.value(back)
    b.media(prefers_color_scheme='light')
    light = b.value(back)
    say('light and dark', light == 'rgb(255, 255, 255)' and
        dark == 'rgb(20, 23, 28)', (light, dark))
    b.media(media='print', prefers_color_scheme='dark')
    say('paper is white', b.value(back) == 'rgb(255, 255, 255)')
    say('and has no readout', b.value(
        "getComputedStyle(document.getElementById('readout')).display")
        == 'none')
    b.media()
    say('nothing is wider than the window', b.value(
        'document.documentElement.scrollWidth <= innerWidth'))
    say('still no complaint', not b.complaints(), b.complaints())
    say('nothing was loaded from anywhere', b.value(
        "performance.getEntriesByType('resource').filter("
        "e => !e.name.startsWith('data:')).length") == 0)
finally:
    b.close()
print('end')
END
export srcdir
python3 drive.py >out 2>err
is "the browser was driven to the end" "$? $(tail -n 1 out) $(cat err)" "0 end "
while IFS='	' read -r verdict name what; do
	case $verdict in
	pass) pass "$name" ;;
	fail)
		fail "$name"
		echo "# $what"
		;;
	esac
done <out
done_testing
