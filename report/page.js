// SPDX-License-Identifier: BSD-3-Clause
// What a pair's numbers are, where somebody points or goes by keys.
'use strict';
(function () {
	const data = JSON.parse(document.getElementById('plink-data').textContent);
	const readout = document.getElementById('readout');
	const maps = Array.from(document.querySelectorAll('svg.map'));
	const n = data.hosts.length;
	const hint = readout.textContent;

	for (const layer of data.layers) {
		const text = atob(layer.cells);
		const bytes = new Uint8Array(text.length);
		for (let i = 0; i < text.length; i++)
			bytes[i] = text.charCodeAt(i);
		const view = new DataView(bytes.buffer);
		layer.at = function (src, dst) {
			return view.getFloat32(4 * (src * n + dst), true);
		};
		delete layer.cells;
	}

	const notes = new Map();
	for (let k = 0; k < data.notes.length; k += 3) {
		const key = data.notes[k] * n + data.notes[k + 1];
		const text = data.texts[data.notes[k + 2]];
		notes.set(key, notes.has(key) ? notes.get(key) + '; ' + text : text);
	}

	const scales = {
		ns: [1, ['ns', 'us', 'ms', 's']], us: [1e3, ['ns', 'us', 'ms', 's']],
		ms: [1e6, ['ns', 'us', 'ms', 's']], s: [1e9, ['ns', 'us', 'ms', 's']],
		bytes: [1, ['B', 'kB', 'MB', 'GB']],
		'bytes-per-s': [1, ['B/s', 'kB/s', 'MB/s', 'GB/s']],
	};

	// to four digits, in the unit that suits it
	function number(value, unit) {
		if (Number.isNaN(value))
			return 'missing';
		const scale = scales[unit];
		if (!scale)
			return Number(value.toPrecision(6)) + ' ' + unit;
		let x = value * scale[0], k = 0;
		while (k < 3 && Math.abs(x) >= 999.95) {
			x /= 1000;
			k++;
		}
		return Number(x.toPrecision(4)) + ' ' + scale[1][k];
	}

	function describe(src, dst) {
		let text = data.hosts[src] + ' \u2192 ' + data.hosts[dst];
		text += data.layers[0].unit === 'bytes' ? '' :
			data.racks[src] === data.racks[dst]
			? ', both in rack ' + (data.racks[src] + 1)
			: ', rack ' + (data.racks[src] + 1) + ' to rack ' +
			  (data.racks[dst] + 1);
		if (src === dst)
			return text + ': the same host';
		text += ': ' + data.layers.map(function (layer) {
			return layer.statistic + ' ' +
				(layer.quantity === data.layers[0].quantity
					? '' : layer.quantity + ' ') +
				number(layer.at(src, dst), layer.unit);
		}).join('; ');
		if (data.left_out > 0)
			text += ' (' + data.left_out + ' more in the matrix)';
		const note = notes.get(src * n + dst);
		return note ? text + ' \u2014 ' + note : text;
	}

	function place(map, row, col) {
		const order = data.orders[map.dataset.order];
		const cell = map.dataset.size / order.length;
		for (const box of map.querySelectorAll('.cursor')) {
			const wide = Math.max(cell, 5);
			box.setAttribute('x', Number(map.dataset.left) +
				(col + 0.5) * cell - wide / 2);
			box.setAttribute('y', Number(map.dataset.top) +
				(row + 0.5) * cell - wide / 2);
			box.setAttribute('width', wide);
			box.setAttribute('height', wide);
			box.removeAttribute('hidden');
			box.style.display = '';
		}
	}

	// the same pair in every map
	function show(src, dst) {
		for (const map of maps) {
			const order = data.orders[map.dataset.order];
			const row = order.indexOf(src), col = order.indexOf(dst);
			if (row >= 0 && col >= 0)
				place(map, row, col);
			else
				hide(map);
		}
		readout.textContent = describe(src, dst);
	}

	function hide(map) {
		for (const box of map.querySelectorAll('.cursor'))
			box.style.display = 'none';
	}

	function leave() {
		maps.forEach(hide);
		readout.textContent = hint;
	}

	function clamp(x, most) {
		return Math.max(0, Math.min(most, x));
	}

	maps.forEach(function (map) {
		const order = data.orders[map.dataset.order];
		const last = order.length - 1;
		let row = 0, col = Math.min(1, last);

		for (const name of ['cursor', 'cursor inner']) {
			const box = document.createElementNS(
				'http://www.w3.org/2000/svg', 'rect');
			box.setAttribute('class', name);
			box.style.display = 'none';
			map.appendChild(box);
		}

		function go(r, c) {
			row = clamp(r, last);
			col = clamp(c, last);
			show(order[row], order[col]);
		}

		function point(event) {
			const box = map.querySelector('image').getBoundingClientRect();
			const x = (event.clientX - box.left) / box.width;
			const y = (event.clientY - box.top) / box.height;
			if (x >= 0 && x < 1 && y >= 0 && y < 1)
				go(Math.floor(y * order.length),
					Math.floor(x * order.length));
		}
		map.addEventListener('pointermove', point);
		map.addEventListener('pointerdown', point);
		map.addEventListener('focus', function () {
			if (map.matches(':focus-visible'))
				go(row, col);
		});
		map.addEventListener('blur', leave);
		map.addEventListener('pointerleave', function () {
			if (document.activeElement !== map)
				leave();
		});
		map.addEventListener('keydown', function (event) {
			const far = Math.max(1, Math.round(order.length / 8));
			const steps = {
				ArrowUp: [-1, 0], ArrowDown: [1, 0],
				ArrowLeft: [0, -1], ArrowRight: [0, 1],
				PageUp: [-far, 0], PageDown: [far, 0],
				Home: [0, -order.length], End: [0, order.length],
			};
			const step = steps[event.key];
			if (event.key === 'Escape')
				leave();
			if (!step || event.ctrlKey || event.altKey || event.metaKey)
				return;
			event.preventDefault();
			go(row + step[0], col + step[1]);
		});
	});

	for (const code of document.querySelectorAll('pre code')) {
		if (!navigator.clipboard)
			break;
		const button = document.createElement('button');
		button.type = 'button';
		button.textContent = 'Copy';
		button.addEventListener('click', function () {
			navigator.clipboard.writeText(code.textContent).then(
				function () { button.textContent = 'Copied'; },
				function () { button.textContent = 'Not allowed here'; });
		});
		code.parentNode.after(button);
	}
})();
