// Lines, bars and distributions, drawn with uPlot.

let plot = null; // the chart that is shown
let shown = null; // what is in it

// aligned makes the columns of uPlot: all places, and for each series its values there or null.
function aligned(layer) {
  const places = [...new Set(layer.series.flatMap((s) => s.points.map((p) => p.at)))].sort(
    (a, b) => a - b,
  );
  const index = new Map(places.map((at, i) => [at, i]));
  layer.places = places;
  const columns = layer.series.map((s) => {
    const column = places.map(() => null);
    s.at = places.map(() => null);
    for (const p of s.points) {
      s.at[index.get(p.at)] = p;
      column[index.get(p.at)] = layer.y.log && !(p.v > 0) ? null : p.v;
    }
    return column;
  });
  return [places, ...columns];
}

// drawLines shows a layer.
function drawLines(layer, element) {
  shown = layer;
  const colors = theme();
  const data = aligned(layer);
  const stepped = uPlot.paths.stepped({ align: 1 });
  const series = layer.series.map((s) => ({
    label: s.label,
    stroke: s.look.color,
    width: 2,
    dash: s.look.dash.map((d) => d * 1.4),
    show: s.shown,
    spanGaps: true,
    points: { show: false },
    paths: layer.stairs ? stepped : layer.connected ? undefined : () => null,
  }));
  const axis = (side, scale, title, log) => ({
    stroke: colors.soft,
    font: colors.font(12),
    labelFont: colors.font(13),
    label: title,
    labelGap: 4,
    grid: { stroke: colors.grid, width: 1, show: !scale.words },
    ticks: { stroke: colors.grid, width: 1, size: 5 },
    labelSize: 24,
    filter: (u, splits) => splits,
    ...side(scale, log),
  });
  const size = sizeOf(element);
  const options = {
    ...size,
    legend: { show: false },
    padding: [16, 18, 0, 0],
    scales: {
      x: { time: false, distr: layer.x.log ? 3 : 1, range: () => [layer.x.lo, layer.x.hi] },
      y: { distr: layer.y.log ? 3 : 1, range: () => [layer.y.lo, layer.y.hi] },
    },
    axes: [
      axis(xSide(size.width, layer), layer.x, layer.title),
      axis(ySide(size), layer.y, layer.measure.title),
    ],
    cursor: {
      drag: { x: true, y: true, uni: 24 },
      points: { size: 11, fill: 'transparent', width: 2 },
      dataIdx: (u, k, i) => nearest(layer, k, i),
    },
    series: [{}, ...series],
    hooks: {
      draw: [(u) => overlay(u, layer, colors)],
      setCursor: [(u) => readCursor(u, layer)],
      setScale: [() => queueMicrotask(zoomed)],
    },
  };
  plot = new uPlot(options, data, element);
  if (state.zoom.length) setZoom(state.zoom);
}

// sizeOf fits a chart into the page.
function sizeOf(element) {
  const room = printing ? 660 : element.clientWidth; // a sheet of A4 or letter
  const width = Math.max(260, room);
  return { width, height: Math.round(Math.min(520, Math.max(300, width * 0.58))) };
}

// xSide places ticks below, with the labels of words where there are any.
const xSide = (width, layer) => (scale) => {
  if (scale.words) {
    const room = (width - 80) / scale.words.length;
    const fit = Math.max(3, Math.floor(room / 7));
    return {
      size: 32,
      splits: () => scale.words.map((_, i) => i),
      values: (u, list) => list.map((i) => shorten(scale.words[i], fit)),
    };
  }
  const most = Math.max(3, Math.floor((width - 80) / 78));
  return {
    size: 32,
    splits: (u, i, lo, hi) => ticksOf(scale, lo, hi, most, layer.prefer),
    values: (u, list) =>
      apart(
        u,
        list,
        list.map((v) => tickText(scale, v)),
      ),
  };
};

// apart leaves out labels that would run into the one before.
function apart(u, places, texts) {
  let end = -Infinity;
  return places.map((v, i) => {
    const middle = u.valToPos(v, 'x');
    const half = textWidth(texts[i]) / 2;
    if (middle - half < end + 8) return '';
    end = middle + half;
    return texts[i];
  });
}

// ySide places ticks on the left and makes room for their labels.
const ySide =
  ({ height }) =>
  (scale) => ({
    splits: (u, i, lo, hi) => ticksOf(scale, lo, hi, Math.floor(height / 48)),
    values: (u, list) => list.map((v) => tickText(scale, v)),
    size: (u, values) => 14 + Math.max(24, ...(values || []).map((t) => textWidth(t))),
  });

const measurer = document.createElement('canvas').getContext('2d');
function textWidth(text) {
  measurer.font = theme().font(12);
  return Math.ceil(measurer.measureText(text).width);
}

const shorten = (text, most) => (text.length <= most ? text : text.slice(0, most - 1) + '…');

// overlay draws what uPlot does not: bars, intervals, closed forms, references, marks.
function overlay(u, layer, colors) {
  const c = u.ctx;
  const px = devicePixelRatio;
  c.save();
  c.beginPath();
  c.rect(
    u.bbox.left - 6 * px,
    u.bbox.top - 6 * px,
    u.bbox.width + 12 * px,
    u.bbox.height + 12 * px,
  );
  c.clip();
  const X = (v) => u.valToPos(v, 'x', true);
  const Y = (v) => u.valToPos(layer.y.log ? Math.max(v, layer.y.lo / 1e6) : v, 'y', true);
  drawReferences(u, c, colors, X, Y);
  layer.series.forEach((s, k) => {
    if (!u.series[k + 1].show) return;
    const points = s.points.filter((p) => p.v != null && !(layer.y.log && p.v <= 0));
    if (state.view === 'bar') drawBars(u, c, layer, s, points, X, Y);
    const onBars = state.view === 'bar' ? { color: colors.ink, paper: colors.paper } : null;
    if (!layer.stairs) drawIntervals(c, points, X, Y, onBars || { color: s.look.color });
    if (layer.connected) drawModel(c, s, X, Y);
    const marked = layer.stairs ? points.slice(-1) : state.view === 'bar' ? [] : points;
    for (const p of marked) mark(c, s.look, X(p.at), Y(p.v), 4.2 * px, p.doubt, colors.paper);
  });
  c.restore();
}

// drawReferences draws the lines that the scenario asks for.
function drawReferences(u, c, colors, X, Y) {
  const px = devicePixelRatio;
  c.lineWidth = px;
  c.setLineDash([4 * px, 4 * px]);
  c.strokeStyle = c.fillStyle = colors.soft;
  c.font = colors.font(11 * px);
  const box = u.bbox;
  for (const r of referenceLines()) {
    c.beginPath();
    if (r.axis === 'y') {
      c.moveTo(box.left, Y(r.value));
      c.lineTo(box.left + box.width, Y(r.value));
      c.textAlign = 'right';
      c.fillText(r.label, box.left + box.width - 4 * px, Y(r.value) - 5 * px);
    } else {
      c.moveTo(X(r.value), box.top);
      c.lineTo(X(r.value), box.top + box.height);
      c.textAlign = 'left';
      c.fillText(r.label, X(r.value) + 4 * px, box.top + 12 * px);
    }
    c.stroke();
  }
  c.setLineDash([]);
}

// drawBars fills from the foot of the axis; a bar in doubt is hollow.
function drawBars(u, c, layer, s, points, X, Y) {
  const half = Math.max(1, X(layer.dodge * 0.44) - X(0));
  const foot = layer.y.log ? u.bbox.top + u.bbox.height : Y(0);
  for (const p of points) {
    c.beginPath();
    c.rect(X(p.at) - half, Y(p.v), 2 * half, foot - Y(p.v));
    c.fillStyle = c.strokeStyle = s.look.color;
    c.lineWidth = 1.5 * devicePixelRatio;
    if (p.doubt) c.stroke();
    else c.fill();
  }
}

// drawIntervals draws a bar where both ends are known, with an edge where there is a paper.
function drawIntervals(c, points, X, Y, { color, paper }) {
  const px = devicePixelRatio;
  for (const p of points) {
    if (p.lo == null || p.hi == null) continue;
    const [x, a, b] = [X(p.at), Y(p.lo), Y(p.hi)];
    c.beginPath();
    c.moveTo(x, a);
    c.lineTo(x, b);
    for (const y of [a, b]) {
      c.moveTo(x - 4 * px, y);
      c.lineTo(x + 4 * px, y);
    }
    c.strokeStyle = paper; // seen on a bar of the same colour
    c.lineWidth = 3.3 * px;
    c.stroke();
    c.strokeStyle = color;
    c.lineWidth = 1.3 * px;
    c.stroke();
  }
}

// drawModel draws the closed form as a thin line.
function drawModel(c, s, X, Y) {
  const px = devicePixelRatio;
  c.strokeStyle = s.look.color;
  c.lineWidth = px;
  c.setLineDash([2 * px, 3 * px]);
  c.beginPath();
  let on = false;
  for (const p of s.points) {
    if (p.model == null) {
      on = false;
      continue;
    }
    c[on ? 'lineTo' : 'moveTo'](X(p.at), Y(p.model));
    on = true;
  }
  c.stroke();
  c.setLineDash([]);
}

// nearest is the index of the value of a series that the cursor at index i points at: its own, or in
// a figure of words that of the same word.
function nearest(layer, k, i) {
  if (k === 0 || layer.series[k - 1].at[i]) return i;
  if (layer.stairs) {
    for (let j = i; j >= 0; j--) if (layer.series[k - 1].at[j]) return j;
  }
  if (!layer.x.words) return i;
  const word = Math.round(layer.places[i]);
  const found = layer.places.findIndex(
    (at, j) => Math.round(at) === word && layer.series[k - 1].at[j],
  );
  return found < 0 ? i : found;
}

// readCursor shows the values under the cursor.
function readCursor(u, layer) {
  const i = u.cursor.idx;
  if (i == null) return readNothing();
  const found = layer.series.map((s, k) => (s.shown ? s.at[nearest(layer, k + 1, i)] : null));
  const first = found.find(Boolean);
  if (!first) return readNothing();
  let head = state.xMeasure ? first.place : axisText(state.x, first.place);
  if (layer.stairs) head = quantity(layer.places[i], 's', 5);
  else if (!state.xMeasure && !layer.x.words) head = layer.title + ' ' + head;
  readValues(layer, head, found);
}

// zoomed notes which part is shown.
function zoomed() {
  if (!plot || !shown) return;
  const { x, y } = plot.scales;
  const ends = [x.min, x.max, y.min, y.max];
  const whole = [shown.x.lo, shown.x.hi, shown.y.lo, shown.y.hi];
  const same = ends.every(
    (v, i) => v == null || Math.abs(v - whole[i]) <= 1e-6 * Math.abs(whole[i]) + 1e-300,
  );
  state.zoom = same ? [] : ends;
  reset.hidden = same;
  remember();
}

function setZoom([x0, x1, y0, y1]) {
  plot.batch(() => {
    plot.setScale('x', { min: x0, max: x1 });
    plot.setScale('y', { min: y0, max: y1 });
  });
}

function resetZoom() {
  if (plot) setZoom([shown.x.lo, shown.x.hi, shown.y.lo, shown.y.hi]);
}

// moveCursor goes to the next place, by the keyboard.
function moveCursor(by) {
  const last = shown.places.length - 1;
  const from = plot.cursor.idx;
  const i = from == null ? (by > 0 ? 0 : last) : Math.max(0, Math.min(last, from + by));
  plot.setCursor({ left: plot.valToPos(shown.places[i], 'x'), top: plot.over.clientHeight / 2 });
}
