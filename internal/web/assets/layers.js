// What a figure shows: series of points at places on the x axis.

// groups divides rows by the value on the axis of the series.
function groups(among) {
  return valuesOf(state.series, among).map(({ text }, place) => ({
    text,
    label: axisText(state.series, text),
    look: lookOf(state.series, text, place),
    shown: !state.off.has(text),
    rows: among.filter((row) => row.axes[state.series] === text),
  }));
}

// layers is the content of a line or bar figure.
function layers(among) {
  const m = measures.get(state.measure);
  const all = groups(among);
  if (state.xMeasure) return scatter(m, all);
  const values = valuesOf(state.x, among);
  const words = !isNumeric(values) || state.view === 'bar' || state.x === schemeAxis;
  const numbers = values.map((v) => v.number);
  const log = !words && (state.xLog ?? byFactors(numbers));
  const axis = page.axes[state.x];
  const x = words
    ? {
        words: values.map((v) => axisText(state.x, v.text)),
        lo: -0.5,
        hi: values.length - 0.5,
        log: false,
      }
    : scaleOf({ values: [...numbers, ...references('x')], log, unit: axis.unit });
  const beside = state.x !== state.series; // else a word has one series only
  const dodge = words ? Math.min(0.8 / (beside ? all.length : 1), beside ? 0.3 : 0.5) : 0;
  all.forEach((s, k) => {
    const shift = beside ? dodge * (k - (all.length - 1) / 2) : 0;
    s.points = values.flatMap((value, i) => {
      const row = s.rows.find((r) => r.axes[state.x] === value.text);
      if (!row) return [];
      const at = words ? i + shift : value.number === 0 && x.zero != null ? x.zero : value.number;
      if (x.log && !(at > 0)) return [];
      return [{ ...estimate(m, row), at, place: value.text }];
    });
  });
  return {
    title: axis.title,
    measure: m,
    series: all,
    x,
    y: yScale(m, all),
    dodge,
    prefer: numbers.map((v) => (v === 0 && x.zero != null ? x.zero : v)),
    connected: !words,
    log: { x: log, y: yLog(m, all) },
  };
}

// scatter has a measure on the x axis.
function scatter(m, all) {
  const over = measures.get(state.xMeasure);
  for (const s of all) {
    s.points = s.rows
      .map((row) => ({ ...estimate(m, row), at: estimate(over, row).v, place: pointText(row) }))
      .filter((p) => p.at != null)
      .sort((a, b) => a.at - b.at);
  }
  const values = all.flatMap((s) => s.points.map((p) => p.at));
  const log = state.xLog ?? overDecades(values);
  for (const s of all) if (log) s.points = s.points.filter((p) => p.at > 0);
  return {
    title: over.title,
    measure: m,
    series: all,
    x: scaleOf({ values, log, unit: over.unit }),
    y: yScale(m, all),
    dodge: 0,
    prefer: [],
    connected: false,
    log: { x: log, y: yLog(m, all) },
  };
}

// pointText names the point of a row by what varies.
function pointText(row) {
  return varying
    .filter((i) => i !== schemeAxis)
    .map((i) => lower(page.axes[i].title) + ' ' + axisText(i, row.axes[i]))
    .join(', ');
}

const figureAsIs = () => page.figures[state.figure];
const sameMeasure = () => figureAsIs().measure === state.measure;

// references are the values of the reference lines of the figure, while it shows its own measure.
const referenceLines = () => (sameMeasure() ? figureAsIs().references || [] : []);
const references = (axis) =>
  referenceLines()
    .filter((r) => r.axis === axis)
    .map((r) => r.value);

const yNumbers = (all) => all.flatMap((s) => s.points.map((p) => p.v)).filter((v) => v != null);
const yLog = (m, all) => state.yLog ?? overDecades(yNumbers(all));

// yScale holds every value and interval of the series; an end near zero is left to be cut.
function yScale(m, all) {
  const values = all
    .flatMap((s) => s.points)
    .flatMap((p) => {
      const near = p.lo != null && p.v != null && p.lo < p.v / 10;
      return [p.v, p.hi, near ? null : p.lo, p.model];
    });
  const log = yLog(m, all);
  const base = state.view === 'bar' ? 'zero' : '';
  const scale = scaleOf({ values: [...values, ...references('y')], log, unit: m.unit, base });
  scale.zero = null; // there is no place for zero on a logarithmic y axis: it is told below
  if (scale.log) scale.lo = Math.min(...values.filter((v) => v > 0)) / 1.15;
  return scale;
}

// staircases is the content of a distribution.
function staircases(among) {
  const tail = state.view === 'ccdf';
  const all = valuesOf(schemeAxis, among).map(({ text }, place) => {
    const row = among.find((r) => r.axes[schemeAxis] === text);
    const known = (row && steps.get(row.axes.join('\0'))) || [];
    const points = known.map(([at, exceed]) => ({
      at,
      v: tail ? exceed || null : 1 - exceed,
      row,
      place: quantity(at, 's', 5),
    }));
    if (points.length) points.unshift({ ...points[0], v: tail ? 1 : null });
    return {
      text,
      label: text,
      look: lookOf(schemeAxis, text, place),
      shown: !state.off.has(text),
      rows: row ? [row] : [],
      points,
    };
  });
  const times = all.flatMap((s) => s.points.map((p) => p.at));
  const chances = yNumbers(all).filter((v) => v > 0);
  const least = Math.min(1, ...chances);
  const log = {
    x: state.xLog ?? Math.max(...times) >= 3 * Math.min(...times),
    y: (state.yLog ?? tail) && least < 1,
  };
  const measure = {
    key: 'probability',
    unit: '',
    title: tail ? 'P(completion time > x)' : 'P(completion time ≤ x)',
  };
  const y = log.y
    ? { log: true, lo: least / 1.3, hi: 1.3, unit: '', zero: null }
    : { log: false, lo: 0, hi: 1.03, unit: '', zero: null };
  return {
    title: 'Completion time',
    measure,
    series: all,
    stairs: true,
    connected: true,
    dodge: 0,
    prefer: [],
    x: scaleOf({ values: [...times, ...references('x')], log: log.x, unit: 's' }),
    y,
    log,
  };
}
