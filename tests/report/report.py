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


def png_of(address):
    """Width, height, rows of colours (r, g, b) of a picture with a palette."""
    assert address.startswith('data:image/png;base64,')
    data = base64.b64decode(address.split(',', 1)[1], validate=True)
    assert data[:8] == b'\x89PNG\r\n\x1a\n'
    at, chunks = 8, {}
    while at < len(data):
        size, kind = struct.unpack('>I4s', data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        crc, = struct.unpack('>I', data[at + 8 + size:at + 12 + size])
        assert crc == zlib.crc32(kind + body)
        chunks[kind] = body
        at += 12 + size
    assert list(chunks) == [b'IHDR', b'PLTE', b'IDAT', b'IEND']
    width, height, *form = struct.unpack('>IIBBBBB', chunks[b'IHDR'])
    assert form == [8, 3, 0, 0, 0], form
    palette = [tuple(rgb) for rgb in zip(*[iter(chunks[b'PLTE'])] * 3)]
    raw = zlib.decompress(chunks[b'IDAT'])
    assert len(raw) == height * (width + 1)
    rows = [raw[y * (width + 1):(y + 1) * (width + 1)] for y in range(height)]
    assert not any(row[0] for row in rows)
    return width, height, [[palette[k] for k in row[1:]] for row in rows]


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


def check_drawings(text, n_drawings):
    """Each host apart from others; each hop from its source to its target."""
    drawings = re.findall(r'<svg class="drawing.*?</svg>', text, re.S)
    assert len(drawings) == n_drawings, len(drawings)
    for drawing in drawings:
        at = {name: (float(x), float(y)) for x, y, name in re.findall(
            r'<circle cx="(.*?)" cy="(.*?)" [^>]*><title>([^,]*), ', drawing)}
        assert all(math.dist(at[i], at[j]) > 30 for i in at for j in at if i != j), at
        for path, src, dst in re.findall(r' d="(.*?)"><title>(\S+) \u2192 (\S+): ', drawing):
            x = [float(v) for v in re.findall('-?[0-9.]+', path)]
            assert math.dist(at[src], x[:2]) < 10.5 > math.dist(at[dst], x[4:6]), (path, at)
