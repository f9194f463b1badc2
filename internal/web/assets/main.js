// The controls, and putting it all together.

const reset = element(
  'button',
  {
    type: 'button',
    hidden: true,
    onclick: () => {
      resetZoom();
    },
  },
  'Reset zoom',
);

// choice is a labelled list; options are [value, text] or [group, options].
function choice(label, options, value, set) {
  const option = ([v, text]) =>
    Array.isArray(text)
      ? element('optgroup', { label: v }, ...text.map(option))
      : element('option', { value: v, selected: String(v) === String(value) }, text);
  return element(
    'label',
    { class: 'control' },
    element('span', {}, label),
    element(
      'select',
      {
        'data-control': label,
        onchange: (e) => {
          set(e.target.value);
          changed(label);
        },
      },
      ...options.map(option),
    ),
  );
}

function tick(label, on, set) {
  return element(
    'label',
    { class: 'check' },
    element('input', {
      type: 'checkbox',
      checked: on,
      'data-control': label,
      onchange: (e) => {
        set(e.target.checked);
        changed(label);
      },
    }),
    label,
  );
}

// changed draws again after a control was used, which keeps the focus.
function changed(label) {
  state.zoom = [];
  show();
  const again = [...document.querySelectorAll('#controls [data-control]')].find(
    (e) => e.dataset.control === label,
  );
  if (again) again.focus();
}

const axisOptions = (without) =>
  varying.filter((i) => i !== without).map((i) => [i, page.axes[i].title]);
const measureOptions = () => page.measures.map((m) => [m.key, m.title]);

// viewOptions are the kinds of figures that the data can show.
function viewOptions() {
  const list = [
    ['line', 'Lines'],
    ['bar', 'Bars'],
  ];
  if (varying.filter((i) => i !== schemeAxis).length > 1) list.push(['map', 'Map']);
  if (steps.size) list.push(['ccdf', 'Tail, P(X > x)'], ['cdf', 'Distribution, P(X ≤ x)']);
  return list;
}

// controlsOf makes the controls of the view.
function controlsOf(fixed, log) {
  const list = [
    choice('Show as', viewOptions(), state.view, (v) => {
      state.view = v;
      settle();
    }),
  ];
  const isMap = state.view === 'map';
  if (isMap) {
    const what = [...measureOptions()];
    if (page.contests.length)
      what.unshift(['Who wins', page.contests.map((c, i) => ['won:' + i, 'Best ' + c.title])]);
    list.push(
      choice('Value', what, state.winners ? 'won:' + state.contest : state.measure, setMapValue),
    );
    list.push(
      choice('X axis', axisOptions(), state.x, (v) => {
        state.x = +v;
        settle();
      }),
    );
    list.push(
      choice('Y axis', axisOptions(state.x), state.z, (v) => {
        state.z = +v;
      }),
    );
    if (!state.winners)
      list.push(
        tick('Log colours', log.y, (on) => {
          state.yLog = on;
        }),
      );
  } else if (state.view === 'line' || state.view === 'bar') {
    list.push(
      choice('Y axis', measureOptions(), state.measure, (v) => {
        state.measure = v;
        state.yLog = null;
      }),
    );
    list.push(
      tick('Log Y', log.y, (on) => {
        state.yLog = on;
      }),
    );
    const swept = axisOptions();
    const xs =
      state.view === 'bar'
        ? swept
        : [
            ['Varied', swept],
            ['Measured', measureOptions()],
          ];
    list.push(choice('X axis', xs, state.xMeasure || state.x, setX));
    if (state.view === 'line')
      list.push(
        tick('Log X', log.x, (on) => {
          state.xLog = on;
        }),
      );
    if (varying.length > 1)
      list.push(
        choice('Series', axisOptions(), state.series, (v) => {
          state.series = +v;
          state.off.clear();
          settle();
        }),
      );
  } else {
    list.push(
      tick('Log X', log.x, (on) => {
        state.xLog = on;
      }),
      tick('Log Y', log.y, (on) => {
        state.yLog = on;
      }),
    );
  }
  for (const { axis, values, text } of fixed) {
    list.push(
      choice(
        page.axes[axis].title,
        values.map((v) => [v.text, axisText(axis, v.text)]),
        text,
        (v) => {
          state.where.set(axis, v);
        },
      ),
    );
  }
  byId('controls').replaceChildren(
    ...list,
    element('span', { class: 'push' }),
    reset,
    element('button', { type: 'button', onclick: downloadPNG }, 'PNG'),
  );
}

function setMapValue(v) {
  state.winners = v.startsWith('won:');
  if (state.winners) state.contest = +v.slice(4);
  else state.measure = v;
}

function setX(v) {
  state.xMeasure = measures.has(v) ? v : '';
  if (!state.xMeasure) state.x = +v;
  state.xLog = null;
  settle();
}

// settle keeps axes from being the same.
function settle() {
  const other = (than) =>
    varying.find((i) => i !== than && i !== schemeAxis) ?? varying.find((i) => i !== than) ?? than;
  if (state.view === 'map') {
    if (state.x === schemeAxis || !varying.includes(state.x)) state.x = other(-1);
    if (state.z === state.x) state.z = other(state.x);
    return;
  }
  if (state.view === 'bar') state.xMeasure = '';
  if (!state.xMeasure && state.series === state.x && varying.length > 1) {
    state.series = state.x === schemeAxis ? other(schemeAxis) : schemeAxis;
  }
}

// captionOf names what is shown: as the scenario does, or by its parts.
function captionOf(title) {
  const f = figureAsIs();
  const same = ['view', 'x', 'z', 'by', 'y', 'over', 'won'].every(
    (k) => written()[k] === defaults[k],
  );
  if (same && f.title) return f.title;
  if (state.view === 'map' && state.winners) {
    return (
      'Best ' +
      page.contests[state.contest].title +
      ' by ' +
      lower(page.axes[state.z].title) +
      ' and ' +
      lower(page.axes[state.x].title)
    );
  }
  if (state.view === 'map')
    return (
      measures.get(state.measure).title +
      ' by ' +
      lower(page.axes[state.z].title) +
      ' and ' +
      lower(page.axes[state.x].title)
    );
  if (state.view === 'cdf' || state.view === 'ccdf') return 'Distribution of the completion time';
  return measures.get(state.measure).title + ' by ' + lower(title);
}

const fixedText = (fixed) =>
  fixed.map((f) => page.axes[f.axis].title + ' ' + axisText(f.axis, f.text)).join(', ');

// notesOf tells what a figure cannot show.
function notesOf(layer) {
  const all = layer.series.flatMap((s) => s.points);
  const lost = layer.y.log ? all.filter((p) => p.v != null && p.v <= 0 && !layer.stairs).length : 0;
  const few = all.filter((p) => p.doubt && p.v != null).length;
  const none = layer.stairs ? 0 : all.filter((p) => p.v == null).length;
  return [
    lost ? lost + ' values of zero or less are not on the logarithmic axis.' : '',
    few ? few + ' hollow: too few samples.' : '',
    none ? none + ' without a value.' : '',
  ]
    .filter(Boolean)
    .join(' ');
}

// hintOf tells how to use a figure.
function hintOf() {
  const move = 'Arrow keys move from value to value.';
  if (state.view === 'map') return move;
  const ends =
    state.view === 'cdf' || state.view === 'ccdf'
      ? 'A curve ends at its largest sample.'
      : 'Bars show 95 % intervals; hollow marks have too few samples.';
  return 'Drag to zoom, double-click to reset. ' + move.replace('.', ', Escape resets. ') + ends;
}

// show draws everything as the state has it.
function show() {
  const chart = byId('chart');
  if (plot) plot.destroy();
  plot = shown = heat = null;
  chart.replaceChildren();
  readNothing();
  const { rows: among, fixed } = selection();
  const log = drawView(chart, among);
  controlsOf(fixed, log);
  byId('caption').textContent = captionOf(shown ? shown.title : '');
  byId('fixed').textContent = fixedText(fixed);
  byId('hint').textContent = hintOf();
  chart.setAttribute('aria-label', byId('caption').textContent);
  for (const b of document.querySelectorAll('#figures button')) {
    b.setAttribute('aria-pressed', String(+b.value === state.figure));
  }
  if (!state.zoom.length) reset.hidden = true;
  remember();
}

// drawView draws the chart and its legend, and returns which axes are logarithmic.
function drawView(chart, among) {
  if (state.view === 'map') {
    const map = heatOf(among);
    drawHeat(map, chart);
    legendOfHeat(map);
    byId('under').textContent = '';
    return { y: Boolean(heat.colours && heat.colours.log) };
  }
  const layer = state.view === 'cdf' || state.view === 'ccdf' ? staircases(among) : layers(among);
  drawLines(layer, chart);
  legendOf(layer);
  byId('under').textContent = notesOf(layer);
  return layer.log;
}

function keys(e) {
  const move = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[
    e.key
  ];
  if (e.key === 'Escape') resetZoom();
  else if (move && heat) moveCell(...move);
  else if (move && move[0] && shown.places.length) moveCursor(move[0]);
  else return;
  e.preventDefault();
}

function tools() {
  const filter = element('input', {
    type: 'search',
    id: 'filter',
    value: state.query,
    placeholder: 'such as a scheme',
    oninput: (e) => {
      state.query = e.target.value;
      showTable();
      remember();
    },
  });
  byId('tools').replaceChildren(
    element('label', { class: 'control' }, element('span', {}, 'Filter'), filter),
    element(
      'label',
      { class: 'check' },
      element('input', {
        type: 'checkbox',
        id: 'all',
        checked: state.all,
        onchange: (e) => {
          state.all = e.target.checked;
          showTable();
          remember();
        },
      }),
      'All columns',
    ),
    element('span', { class: 'push' }),
    element('button', { type: 'button', onclick: downloadCSV }, 'CSV'),
  );
}

// paintAnswers gives schemes in the answer their colour.
function paintAnswers() {
  for (const b of document.querySelectorAll('[data-scheme]')) {
    if (b.dataset.scheme in page.schemes)
      b.style.setProperty('--own', lookOf(schemeAxis, b.dataset.scheme).color);
  }
}

function startPage() {
  byId('figures').replaceChildren(
    ...page.figures.map((f, i) =>
      element(
        'button',
        {
          type: 'button',
          value: i,
          'aria-pressed': 'false',
          title: f.title,
          onclick: () => {
            choose(i);
            show();
          },
        },
        f.label,
      ),
    ),
  );
  const open = () => {
    recall();
    tools();
    show();
    showTable();
  };
  open();
  paintAnswers();
  const chart = byId('chart');
  chart.addEventListener('keydown', keys);
  chart.addEventListener('mousemove', (e) => {
    if (!heat) return;
    const box = heat.canvas.getBoundingClientRect();
    showCell(cellAt(e.clientX - box.left, e.clientY - box.top));
  });
  chart.addEventListener('mouseleave', () => {
    if (heat) showCell(null);
  });
  for (const link of document.querySelectorAll('header a')) {
    link.addEventListener('click', (e) => {
      e.preventDefault();
      document.querySelector(link.getAttribute('href')).scrollIntoView();
    });
  }
  addEventListener('hashchange', open);
  const again = () => {
    show();
    paintAnswers();
  };
  dark.addEventListener('change', again);
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth !== width) {
      width = innerWidth;
      show();
    }
  });
  addEventListener('beforeprint', () => {
    printing = true;
    again();
  });
  addEventListener('afterprint', () => {
    printing = false;
    again();
  });
}

startPage();
