// Small figures, drawn as SVG.

function shape(name, attributes, ...children) {
  const e = document.createElementNS('http://www.w3.org/2000/svg', name);
  for (const [key, value] of Object.entries(attributes))
    if (value != null) e.setAttribute(key, value);
  e.append(...children);
  return e;
}

// markAt is the mark of a scheme; hollow where the samples do not carry the value.
function markAt(look, x, y, radius, hollow) {
  const points = look.shape.map(([dx, dy]) => x + dx * radius + ',' + (y - dy * radius)).join(' ');
  return shape('polygon', {
    points,
    stroke: look.color,
    'stroke-width': 1.6,
    fill: look.color,
    class: null,
    'fill-opacity': hollow ? 0 : 1,
  });
}

// scaleFor holds values and intervals.
function scaleFor(list, unit, log) {
  const values = list.flatMap((e) => [
    e.v,
    e.hi,
    e.lo != null && e.v != null && e.lo < e.v / 10 ? null : e.lo,
  ]);
  return scaleOf({ values, log: log && values.some((v) => v > 0), unit });
}

// placer turns values of a scale into places between two others.
const placer = (scale, from, to) => (v) => {
  const share = scale.log
    ? Math.log(v / scale.lo) / Math.log(scale.hi / scale.lo)
    : (v - scale.lo) / (scale.hi - scale.lo);
  return from + (to - from) * Math.max(-0.02, Math.min(1.02, share));
};

const widthOf = (box) => Math.max(240, box.clientWidth);

// showBars draws the value of every scheme with its interval, on one axis.
function showBars() {
  const box = byId('bars');
  const part = latest.here;
  const m = measureNow();
  const rows = part.table.rows.map((row) => ({ row, ...estimateOf(part, row, m) }));
  const width = widthOf(box);
  const names = Math.min(
    width * 0.36,
    16 + Math.max(...rows.map((r) => 7.4 * r.row.scheme.length)),
  );
  const each = 34;
  const height = rows.length * each + 30;
  const known = rows.map((r) => r.v).filter((v) => v > 0);
  const scale = scaleFor(
    rows,
    m.unit,
    known.length > 1 && Math.max(...known) / Math.min(...known) >= 20,
  );
  const X = placer(scale, names, width - 18);
  const svg = shape('svg', {
    viewBox: '0 0 ' + width + ' ' + height,
    height,
    role: 'img',
    'aria-label':
      m.title + ': ' + rows.map((r) => r.row.scheme + ' ' + quantity(r.v, m.unit)).join(', '),
  });
  for (const v of ticksOf(
    scale,
    scale.lo,
    scale.hi,
    Math.max(2, Math.floor((width - names) / 90)),
  )) {
    svg.append(
      shape('line', { x1: X(v), x2: X(v), y1: 4, y2: height - 24, class: 'grid' }),
      shape('text', { x: X(v), y: height - 8, 'text-anchor': 'middle' }, tickText(scale, v)),
    );
  }
  rows.forEach((r, i) => {
    const y = i * each + each / 2 + 8;
    const look = lookOfScheme(r.row.scheme);
    const most = Math.max(4, Math.floor((names - 10) / 7));
    const label = r.row.scheme.length > most ? r.row.scheme.slice(0, most - 1) + '…' : r.row.scheme;
    svg.append(shape('text', { x: 0, y: y + 4, class: 'strong' }, label));
    if (r.v == null || (scale.log && r.v <= 0)) {
      svg.append(
        shape(
          'text',
          { x: names, y: y + 4 },
          r.row.failed ? r.row.failed + ' of ' + r.row.samples + ' samples failed' : 'no value',
        ),
      );
      return;
    }
    svg.append(
      ...whiskers(look.color, {
        x1: r.lo == null ? null : X(r.lo),
        x2: r.hi == null ? null : X(r.hi),
        y1: y,
        y2: y,
      }),
    );
    svg.append(markAt(look, X(r.v), y, 5, r.few));
    const text =
      quantity(r.v, m.unit) +
      (r.few ? ' ?' : '') +
      (r.row.failed ? ', ' + r.row.failed + ' failed' : '');
    const left = X(r.v) > names + (width - names) * 0.6;
    svg.append(
      shape(
        'text',
        { x: X(r.v) + (left ? -8 : 8), y: y - 8, 'text-anchor': left ? 'end' : 'start' },
        text,
      ),
    );
  });
  box.replaceChildren(svg);
}

// whiskers are an interval with its ends; nothing where an end is not known.
function whiskers(color, at) {
  if (at.x1 == null || at.x2 == null || at.y1 == null || at.y2 == null) return [];
  const line = (x1, y1, x2, y2) =>
    shape('line', { x1, y1, x2, y2, stroke: color, 'stroke-width': 1.4 });
  const flat = at.y1 === at.y2;
  const end = (x, y) => (flat ? line(x, y - 4, x, y + 4) : line(x - 3, y, x + 3, y));
  return [line(at.x1, at.y1, at.x2, at.y2), end(at.x1, at.y1), end(at.x2, at.y2)];
}

const axisUnits = { drop: '', distance: 'm' };

// showAround draws a part over its axis, with a line where the link stands.
function showAround(name) {
  const box = byId(name);
  const part = latest[name];
  const note = byId(name + '-note');
  if (part.fault) {
    box.replaceChildren();
    note.textContent = part.fault;
    return;
  }
  const m = measureNow();
  const width = widthOf(box);
  const height = 240;
  const all = part.table.rows.map((row) => ({ row, ...estimateOf(part, row, m) }));
  const places = [...new Set(all.map((e) => e.row.place))];
  const x = scaleOf({ values: [...places, part.at || null], log: true, unit: axisUnits[name] });
  const y = scaleFor(all, m.unit, overDecades(all.map((e) => e.v).filter((v) => v != null)));
  const yTicks = ticksOf(y, y.lo, y.hi, 5);
  const margin = 12 + Math.max(24, ...yTicks.map((v) => 7 * tickText(y, v).length));
  const X = placer(x, margin, width - 12);
  const Y = placer(y, height - 26, 8);
  const svg = shape('svg', {
    viewBox: '0 0 ' + width + ' ' + height,
    height,
    role: 'img',
    'aria-label': m.title + ' ' + byId(name + '-title').textContent.toLowerCase(),
  });
  for (const v of yTicks) {
    svg.append(
      shape('line', { x1: margin, x2: width - 12, y1: Y(v), y2: Y(v), class: 'grid' }),
      shape('text', { x: margin - 6, y: Y(v) + 4, 'text-anchor': 'end' }, tickText(y, v)),
    );
  }
  let end = -Infinity;
  for (const v of logTicks(x.lo, x.hi, 7)) {
    const text = quantity(v, axisUnits[name], 2);
    const half = 3.5 * text.length;
    svg.append(shape('line', { x1: X(v), x2: X(v), y1: 8, y2: height - 26, class: 'grid' }));
    if (X(v) - half < end + 6) continue;
    end = X(v) + half;
    svg.append(shape('text', { x: X(v), y: height - 8, 'text-anchor': 'middle' }, text));
  }
  if (part.at)
    svg.append(
      shape('line', {
        x1: X(part.at),
        x2: X(part.at),
        y1: 8,
        y2: height - 26,
        class: 'stand',
        'stroke-width': 1.6,
      }),
    );
  for (const scheme of part.table.schemes) svg.append(...lineOf(scheme, all, { X, Y, log: y.log }));
  const nearest = (event) => {
    const rect = svg.getBoundingClientRect();
    const at = ((event.clientX - rect.left) / rect.width) * width;
    return places.reduce((best, p) => (Math.abs(X(p) - at) < Math.abs(X(best) - at) ? p : best));
  };
  svg.addEventListener('mousemove', (e) => {
    const place = nearest(e);
    note.textContent = readPlace(
      name,
      m,
      all.filter((r) => r.row.place === place),
      part,
      places.indexOf(place),
    );
  });
  svg.addEventListener('mouseleave', () => (note.textContent = restOf(part)));
  svg.addEventListener('click', (e) => goTo(name, nearest(e)));
  box.replaceChildren(svg);
  note.textContent = restOf(part);
}

const restOf = (part) =>
  (part.samples < part.of ? part.samples + ' of ' : '') + part.of + ' samples a point';

// readPlace says what is at a place of an axis.
function readPlace(name, m, found, part, index) {
  const value = (e) =>
    e.row.scheme + ' ' + quantity(e.v, m.unit) + (e.few && e.v != null ? ' ?' : '');
  const win = winsOf(part)[index];
  const tie = win && win.rivals && win.rivals.length;
  const who = !win || !win.best ? '' : tie ? ' A tie.' : ' Best: ' + win.best + '.';
  return (
    quantity(found[0].row.place, axisUnits[name], 3) +
    ': ' +
    found.map(value).join(', ') +
    '.' +
    who
  );
}

// lineOf is a scheme over the axis.
function lineOf(scheme, all, { X, Y, log }) {
  const look = lookOfScheme(scheme);
  const points = all.filter((e) => e.row.scheme === scheme && e.v != null && !(log && e.v <= 0));
  const line = shape('polyline', {
    points: points.map((e) => X(e.row.place) + ',' + Y(e.v)).join(' '),
    fill: 'none',
    stroke: look.color,
    'stroke-width': 1.8,
    'stroke-dasharray': look.dash.join(' ') || null,
  });
  const marks = points.flatMap((e) => [
    ...whiskers(look.color, {
      x1: X(e.row.place),
      x2: X(e.row.place),
      y1: e.lo == null || (log && e.lo <= 0) ? null : Y(e.lo),
      y2: e.hi == null ? null : Y(e.hi),
    }),
    markAt(look, X(e.row.place), Y(e.v), 3.4, e.few),
  ]);
  return [line, ...marks];
}
