# SPDX-License-Identifier: BSD-3-Clause
# report.py - reads back what reports hold: tags, numbers of pairs, pixels
import base64
import html.parser
import itertools
import json
import math
import re
import struct
import zlib

VOID = {'meta', 'link', 'br', 'img', 'input', 'hr'}


class Page(html.parser.HTMLParser):
    """All tags closed in turn, no id twice; scripts and texts by themselves."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.open, self.ids, self.scripts, self.images = [], [], [], []
        self.text, self.tags = '', []
        self.feed(text)
        self.close()
        assert not self.open, self.open

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        if 'id' in attrs:
            assert attrs['id'] not in self.ids, attrs['id']
            self.ids.append(attrs['id'])
        if tag == 'image':
            self.images.append(attrs['href'])
        for name, value in attrs.items():
            assert not (name in ('src', 'href') and not
                        value.startswith('data:')), (name, value)
        if tag not in VOID:
            self.open.append(tag)
        if tag == 'script':
            self.scripts.append('')

    def handle_startendtag(self, tag, attrs):
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.handle_endtag(tag)

    def handle_endtag(self, tag):
        assert self.open and self.open[-1] == tag, (tag, self.open)
        self.open.pop()

    def handle_data(self, data):
        if self.open and self.open[-1] == 'script':
            self.scripts[-1] += data
        elif self.open and self.open[-1] != 'style':
            self.text += data

    def data(self):
        return json.loads(self.scripts[0])


def cells(layer, n):
    raw = base64.b64decode(layer['cells'], validate=True)
    return struct.unpack('<%df' % (n * n), raw)


def read_matrix(path):
    """Names and rows of layer 0 of a plink matrix."""
    names, rows = [], []
    for line in open(path):
        if line.startswith('# layer'):
            break
        if not line.startswith('#') and line.strip():
            words = line.split()
            names.append(words[0])
            rows.append([float(w) for w in words[1:]])
    return names, rows


def single(x):
    return struct.unpack('<f', struct.pack('<f', x))[0]


def same(x, y):
    return single(x) == y or (math.isnan(x) and math.isnan(y))


def png(data):
    """Width, height, rows of colours (r, g, b)."""
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, idat, palette, head = 8, b'', None, None
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        crc, = struct.unpack('>I', data[at + 8 + size:at + 12 + size])
        assert crc == zlib.crc32(kind + body)
        if kind == b'IHDR':
            head = struct.unpack('>IIBBBBB', body)
        elif kind == b'PLTE':
            palette = [tuple(body[i:i + 3]) for i in range(0, len(body), 3)]
        elif kind == b'IDAT':
            idat += body
        at += 12 + size
    width, height, depth, colour = head[:4]
    assert depth == 8 and colour in (2, 3), head
    step = 1 if palette else 3
    raw = zlib.decompress(idat)
    above, rows = bytes(width * step), []
    for y in range(height):
        start = y * (width * step + 1)
        line = unfilter(raw[start], raw[start + 1:start + 1 + width * step],
                        above, step)
        rows.append(rows[-1] if rows and line == above else
                    [palette[k] for k in line] if palette else
                    list(zip(*[iter(line)] * 3)))
        above = line
    return width, height, rows


def unfilter(kind, line, above, step):
    """A line of PNG by its filter (section 9 of its specification)."""
    if kind == 0 or (kind == 2 and not any(line)):
        return line if kind == 0 else above
    if kind == 2:
        return bytes((x + b) & 255 for x, b in zip(line, above))
    if kind == 1:
        whole = bytearray(len(line))
        for i in range(step):
            whole[i::step] = bytes(x & 255 for x in
                                   itertools.accumulate(line[i::step]))
        return bytes(whole)
    line, left = bytearray(step) + line, bytes(step) + above
    for i, b in enumerate(above):
        a = line[i]
        if kind == 3:
            b = (a + b) // 2
        elif a == b:
            pass  # whichever c is, one of these is nearest
        else:
            c = left[i]
            from_a, from_b, from_c = abs(b - c), abs(a - c), abs(a + b - c - c)
            if from_a <= from_b and from_a <= from_c:
                b = a
            elif from_c < from_b:
                b = c
        line[i + step] = (line[i + step] + b) & 255
    return bytes(line[step:])


def png_of(address):
    assert address.startswith('data:image/png;base64,')
    return png(base64.b64decode(address.split(',', 1)[1], validate=True))


MISSING, SELF = (214, 40, 0), (160, 160, 160)


def check_map(rows, order, matrix):
    """A pixel a pair: missing red, the diagonal grey, slower never lighter."""
    n = len(order)
    assert len(rows) == n and all(len(r) == n for r in rows)
    seen = []
    for i in range(n):
        for j in range(n):
            x, colour = matrix[order[i]][order[j]], rows[i][j]
            if i == j:
                assert colour == SELF, (i, j, colour)
            elif math.isnan(x):
                assert colour == MISSING, (i, j, colour)
            else:
                assert colour not in (MISSING, SELF)
                seen.append((x, sum(colour)))
    seen.sort()
    assert all(b[1] <= a[1] for a, b in zip(seen, seen[1:])), 'not monotone'
    assert seen[0][1] > seen[-1][1] + 200, 'no contrast'


def orders_of(plan):
    return [[int(k) for k in re.split(' : ', line)[1].split()]
            for line in open(plan) if line.startswith('order')]
