// Heat maps: a measure of one scheme over two axes, or who wins where.

let heat = null; // the map that is shown

// heatOf collects the cells.
function heatOf(among) {
  const xs = valuesOf(state.x, among);
  const ys = valuesOf(state.z, among);
  const xi = new Map(xs.map((v, i) => [v.text, i]));
  const yi = new Map(ys.map((v, i) => [v.text, i]));
  const m = measures.get(state.measure);
  const contest = page.contests[state.contest];
  const cells = new Map();
  for (const row of among) {
    const key = xi.get(row.axes[state.x]) + ',' + yi.get(row.axes[state.z]);
    if (state.winners) cells.set(key, { row, won: contest.cells[pointAt.get(pointKey(row))] });
    else cells.set(key, { row, ...estimate(m, row) });
  }
  return { xs, ys, cells, measure: m, contest };
}

// colouring tells how values become colours, and where on the bar they are.
function colouring(map) {
  const values = [...map.cells.values()].map((c) => c.v).filter((v) => v != null);
  const ratio = map.measure.ratio;
  if (ratio) {
    const far = Math.max(0.1, ...values.filter((v) => v > 0).map((v) => Math.abs(Math.log2(v))));
    const oneSided = values.every((v) => v >= 0.995);
    const place = (v) => 0.5 + Math.log2(v) / far / 2;
    return {
      ...scaleEnds(oneSided ? 1 : 2 ** -far, 2 ** far, true),
      colour: (v) => ramp(page.ratioRamp, place(v)),
    };
  }
  const log = state.yLog ?? overDecades(values);
  const known = log ? values.filter((v) => v > 0) : values;
  const ends = scaleEnds(Math.min(...known), Math.max(...known), log);
  return { ...ends, colour: (v) => ramp(page.ramp, ends.place(v)) };
}

function scaleEnds(lo, hi, log) {
  const of = (v) => (log ? Math.log(v) : v);
  return { lo, hi, log, place: (v) => (hi > lo ? (of(v) - of(lo)) / (of(hi) - of(lo)) : 0.5) };
}

// drawHeat draws the map into a canvas of the element.
function drawHeat(map, element) {
  const size = sizeOf(element);
  const px = devicePixelRatio;
  const canvas = document.createElement('canvas');
  canvas.width = size.width * px;
  canvas.height = size.height * px;
  canvas.style.width = size.width + 'px';
  canvas.style.height = size.height + 'px';
  element.append(canvas);
  const colors = theme();
  const c = canvas.getContext('2d');
  c.scale(px, px);
  const left = 34 + Math.max(...map.ys.map((v) => textWidth(axisText(state.z, v.text))));
  const bar = state.winners ? 0 : 78;
  const box = { left, top: 12, width: size.width - left - bar - 12, height: size.height - 12 - 52 };
  heat = {
    ...map,
    canvas,
    box,
    at: null,
    cellW: box.width / map.xs.length,
    cellH: box.height / map.ys.length,
  };
  heat.colours = state.winners ? null : colouring(map);
  drawCells(c, colors);
  drawHeatAxes(c, colors, size);
  if (bar) drawRamp(c, colors, size);
  heat.image = c.getImageData(0, 0, canvas.width, canvas.height);
}

// cellStyle is the colour of a cell and the text in it.
function cellStyle(cell, colors) {
  if (state.winners) {
    const won = cell.won;
    if (!won || !won.best) return { rgb: null, text: won ? won.mark : '' };
    const full = channels(page.looks[page.schemes[won.best] % page.looks.length].color);
    return {
      rgb: won.tie ? mix(full, [255, 255, 255], 0.6) : full,
      text: won.mark,
      doubt: won.doubt,
    };
  }
  if (cell.v == null || (heat.colours.log && cell.v <= 0)) return { rgb: null, text: '–' };
  const ratio = heat.measure.ratio && cell.v >= 0.1 && cell.v < 100;
  const text = ratio ? cell.v.toPrecision(3) : quantity(cell.v, heat.measure.unit, 3);
  return { rgb: heat.colours.colour(cell.v), text, doubt: cell.doubt };
}

function drawCells(c, colors) {
  const { box, cellW, cellH } = heat;
  c.textAlign = 'center';
  c.textBaseline = 'middle';
  c.font = colors.font(11);
  for (const [key, cell] of heat.cells) {
    const [i, j] = key.split(',').map(Number);
    const x = box.left + i * cellW;
    const y = box.top + box.height - (j + 1) * cellH;
    const { rgb, text, doubt } = cellStyle(cell, colors);
    c.fillStyle = rgb ? css(rgb) : colors.empty;
    c.fillRect(x + 0.5, y + 0.5, cellW - 1, cellH - 1);
    c.fillStyle = rgb ? inkOn(rgb) : colors.ink;
    const label = doubt && !state.winners ? text + ' ?' : text;
    if (cellH >= 14 && textWidth(label) < cellW - 4) {
      c.fillText(label, x + cellW / 2, y + cellH / 2 + 0.5);
    } else if (doubt) {
      c.fillRect(x + cellW / 2 - 1.5, y + cellH / 2 - 1.5, 3, 3);
    }
  }
}

function drawHeatAxes(c, colors, size) {
  const { box, cellW, cellH, xs, ys } = heat;
  c.fillStyle = colors.soft;
  c.font = colors.font(12);
  c.textAlign = 'center';
  c.textBaseline = 'top';
  const widest = Math.max(...xs.map((v) => textWidth(axisText(state.x, v.text)))) + 10;
  const every = Math.max(1, Math.ceil(widest / cellW));
  xs.forEach((v, i) => {
    if (i % every === 0)
      c.fillText(axisText(state.x, v.text), box.left + (i + 0.5) * cellW, box.top + box.height + 7);
  });
  c.textAlign = 'right';
  c.textBaseline = 'middle';
  const each = Math.max(1, Math.ceil(16 / cellH));
  ys.forEach((v, j) => {
    const y = box.top + box.height - (j + 0.5) * cellH;
    if (j % each === 0) c.fillText(axisText(state.z, v.text), box.left - 7, y);
  });
  c.font = colors.font(13);
  c.textAlign = 'center';
  c.fillText(page.axes[state.x].title, box.left + box.width / 2, size.height - 12);
  c.save();
  c.translate(10, box.top + box.height / 2);
  c.rotate(-Math.PI / 2);
  c.fillText(page.axes[state.z].title, 0, 0);
  c.restore();
}

// drawRamp draws the bar that explains the colours.
function drawRamp(c, colors, size) {
  const { box, colours, measure } = heat;
  if (!isFinite(colours.lo)) return;
  const x = size.width - 70;
  const n = Math.round(box.height);
  for (let i = 0; i < n; i++) {
    const share = 1 - (i + 0.5) / n;
    const v = colours.log
      ? colours.lo * (colours.hi / colours.lo) ** share
      : colours.lo + share * (colours.hi - colours.lo);
    c.fillStyle = css(colours.colour(v));
    c.fillRect(x, box.top + i, 14, 1.5);
  }
  c.fillStyle = colors.soft;
  c.font = colors.font(11);
  c.textAlign = 'left';
  c.textBaseline = 'middle';
  const scale = { ...colours, unit: measure.unit, zero: null };
  const ticks =
    colours.hi > colours.lo
      ? ticksOf(scale, colours.lo, colours.hi, Math.floor(n / 40))
      : [colours.lo];
  for (const v of ticks) {
    c.fillText(tickText(scale, v), x + 19, box.top + n * (1 - colours.place(v)));
  }
}

// cellAt finds the cell at a place of the canvas.
function cellAt(x, y) {
  const i = Math.floor((x - heat.box.left) / heat.cellW);
  const j = Math.floor((heat.box.top + heat.box.height - y) / heat.cellH);
  return i >= 0 && j >= 0 && i < heat.xs.length && j < heat.ys.length ? [i, j] : null;
}

// showCell frames a cell and reads it.
function showCell(at) {
  const c = heat.canvas.getContext('2d');
  c.putImageData(heat.image, 0, 0);
  heat.at = at;
  const cell = at && heat.cells.get(at.join(','));
  if (!cell) return readNothing();
  const { box, cellW, cellH } = heat;
  c.strokeStyle = theme().ink;
  c.lineWidth = 2;
  c.strokeRect(
    box.left + at[0] * cellW + 1,
    box.top + box.height - (at[1] + 1) * cellH + 1,
    cellW - 2,
    cellH - 2,
  );
  readCell(cell, at);
}

// moveCell goes to a neighbour, by the keyboard.
function moveCell(dx, dy) {
  const [i, j] = heat.at || [dx < 0 ? heat.xs.length : -1, dy < 0 ? heat.ys.length : -1];
  const within = (v, n) => Math.max(0, Math.min(n - 1, v));
  showCell([within(i + dx, heat.xs.length), within(j + dy, heat.ys.length)]);
}
