// What is shown, and the address of the page, which says it.

// state is what the controls set. Where has the values of the axes that are fixed, off the series
// that are not shown; zoom is empty or [x0, x1, y0, y1]. Null lets the values decide.
const state = {};

// start sets everything to a figure as the scenario has it.
function start(index) {
  const f = page.figures[index] || page.figures[0];
  const first = (list, other) => list.find((i) => i !== schemeAxis && i !== other);
  const index0 = (path, otherwise) => (path ? axisIndex.get(path) : otherwise);
  Object.assign(state, {
    figure: page.figures.indexOf(f),
    view: f.view,
    measure: f.measure || page.measures[0].key,
    contest: f.contest ? f.contest - 1 : 0,
    winners: Boolean(f.contest),
    xMeasure: '',
    series: index0(f.series, schemeAxis),
    xLog: null,
    yLog: null,
    off: new Set(),
    zoom: [],
    where: new Map(),
    query: '',
    sort: '',
    down: false,
    all: false,
  });
  state.x = index0(f.x, first(varying) ?? schemeAxis);
  state.z = index0(f.z, first(varying, state.x) ?? schemeAxis);
  if (f.xScale) state.xLog = f.xScale === 'log';
  if (f.yScale) state.yLog = f.yScale === 'log';
  for (const [path, text] of Object.entries(f.where || {}))
    state.where.set(axisIndex.get(path), text);
  if (f.schemes && f.view !== 'map') {
    for (const s of valuesOf(schemeAxis)) if (!f.schemes.includes(s.text)) state.off.add(s.text);
  }
  if (f.schemes && f.schemes.length === 1) state.where.set(schemeAxis, f.schemes[0]);
}

// freeAxes are those of the view that are not fixed.
function freeAxes() {
  switch (state.view) {
    case 'map':
      return state.winners ? [state.x, state.z, schemeAxis] : [state.x, state.z];
    case 'cdf':
    case 'ccdf':
      return [schemeAxis];
  }
  return state.xMeasure ? [state.series] : [state.x, state.series];
}

// selection fixes what has to be, and returns the rows that are left.
function selection() {
  const free = freeAxes();
  const fixed = [];
  let left = rows;
  for (const axis of varying) {
    if (free.includes(axis)) continue;
    if (state.xMeasure && axis !== schemeAxis) continue; // a line runs over all points
    const among = left;
    if (follows(axis, free, among)) continue;
    let values = valuesOf(axis, among);
    if (state.view === 'cdf' || state.view === 'ccdf') {
      values = values.filter((v) =>
        among.some((r) => r.axes[axis] === v.text && steps.has(r.axes.join('\0'))),
      );
    }
    let text = state.where.get(axis);
    if (!values.some((v) => v.text === text)) text = (values[0] || {}).text;
    state.where.set(axis, text);
    fixed.push({ axis, values, text });
    left = left.filter((row) => row.axes[axis] === text);
  }
  return { rows: left, fixed };
}

// fields are the parts of the address: name, as text, and from text.
const axisField = (name) => [
  () => page.axes[state[name]].path,
  (text) => {
    if (axisIndex.has(text)) state[name] = axisIndex.get(text);
  },
];
const logField = (name) => [
  () => (state[name] == null ? '' : state[name] ? 'log' : 'linear'),
  (text) => {
    state[name] = text === 'log' ? true : text === 'linear' ? false : null;
  },
];
const fields = {
  view: [
    () => state.view,
    (t) => {
      if (['line', 'bar', 'map', 'cdf', 'ccdf'].includes(t)) state.view = t;
    },
  ],
  x: axisField('x'),
  z: axisField('z'),
  by: axisField('series'),
  y: [
    () => state.measure,
    (t) => {
      if (measures.has(t)) state.measure = t;
    },
  ],
  over: [
    () => state.xMeasure,
    (t) => {
      if (measures.has(t) || !t) state.xMeasure = t;
    },
  ],
  won: [
    () => (state.winners ? String(state.contest) : ''),
    (t) => {
      state.winners = page.contests[+t] != null && t !== '';
      if (state.winners) state.contest = +t;
    },
  ],
  xs: logField('xLog'),
  ys: logField('yLog'),
  off: [
    () => list(state.off),
    (t) => {
      state.off = new Set(unlist(t));
    },
  ],
  at: [
    () => list([...state.where].map(([i, text]) => page.axes[i].path + '=' + text)),
    (t) => {
      state.where = new Map();
      for (const part of unlist(t)) {
        const cut = part.indexOf('=');
        const axis = axisIndex.get(part.slice(0, cut));
        if (axis != null) state.where.set(axis, part.slice(cut + 1));
      }
    },
  ],
  zoom: [
    () => state.zoom.map((v) => v.toPrecision(6)).join(' '),
    (t) => {
      const ends = t.split(' ').map(Number);
      state.zoom = ends.length === 4 && ends.every(isFinite) ? ends : [];
    },
  ],
  q: [
    () => state.query,
    (t) => {
      state.query = t;
    },
  ],
  sort: [
    () => state.sort,
    (t) => {
      state.sort = t;
    },
  ],
  down: [
    () => (state.down ? '1' : ''),
    (t) => {
      state.down = t === '1';
    },
  ],
  all: [
    () => (state.all ? '1' : ''),
    (t) => {
      state.all = t === '1';
    },
  ],
};

// list joins texts, which may hold anything; unlist takes them apart.
const list = (texts) => [...texts].map(encodeURIComponent).join(',');
const unlist = (text) => text.split(',').filter(Boolean).map(decodeURIComponent);

// defaults are the fields of the figure as it is in the scenario.
let defaults = {};
const written = () => Object.fromEntries(Object.entries(fields).map(([k, f]) => [k, f[0]()]));

// choose goes to a figure.
function choose(index) {
  const kept = {
    query: state.query || '',
    sort: state.sort || '',
    down: state.down,
    all: state.all,
  };
  start(index);
  selection();
  defaults = written();
  Object.assign(state, {
    query: kept.query,
    sort: kept.sort,
    down: Boolean(kept.down),
    all: Boolean(kept.all),
  });
}

// remember writes into the address what differs from the figure.
function remember() {
  const params = new URLSearchParams();
  if (state.figure > 0) params.set('figure', state.figure + 1);
  for (const [key, text] of Object.entries(written())) {
    if (text !== defaults[key]) params.set(key, text);
  }
  const hash = params.size ? '#' + params : location.pathname + location.search;
  history.replaceState(null, '', hash);
}

// recall sets what the address says; what it cannot say is left as it is.
function recall() {
  const params = new URLSearchParams(location.hash.slice(1));
  choose((parseInt(params.get('figure'), 10) || 1) - 1);
  for (const [key, [, read]] of Object.entries(fields)) {
    if (!params.has(key)) continue;
    try {
      read(params.get(key));
    } catch {
      // not one of ours: the figure as it is
    }
  }
}
