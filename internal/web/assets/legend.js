// The legend, whose buttons show and hide series, and the values under the cursor.

// legendOf lists the series of a layer; each has room for its value.
function legendOf(layer) {
  const items = layer.series.map((s) =>
    element(
      'li',
      {},
      element(
        'button',
        {
          type: 'button',
          'aria-pressed': String(s.shown),
          'data-series': s.text,
          title: s.shown ? 'Hide ' + s.label : 'Show ' + s.label,
          onclick: () => toggle(s.text),
        },
        swatch(s.look, layer.connected),
        element('span', {}, s.label),
      ),
      element('span', { class: 'value' }),
      element('small', { class: 'ends' }),
    ),
  );
  const by = page.axes[layer.stairs ? schemeAxis : state.series].title;
  byId('legend').replaceChildren(
    element('h3', { id: 'place', 'data-title': by }, by),
    element('ul', { class: 'legend', id: 'series' }, ...items),
  );
  if (layer.connected && layer.series.some((s) => s.points.some((p) => p.model != null))) {
    byId('legend').append(element('p', { class: 'note' }, 'Thin dotted lines: closed form.'));
  }
}

function toggle(text) {
  if (state.off.has(text)) state.off.delete(text);
  else state.off.add(text);
  show();
  const again = [...document.querySelectorAll('#series button')].find(
    (b) => b.dataset.series === text,
  );
  if (again) again.focus();
}

// legendOfHeat explains a map.
function legendOfHeat(map) {
  const box = byId('legend');
  if (!state.winners) {
    box.replaceChildren(
      element('h3', {}, map.measure.title),
      element(
        'p',
        { class: 'note' },
        map.measure.ratio ? 'Blue is above 1, brown below.' : 'Darker is less, lighter is more.',
        ' A question mark: too few samples.',
      ),
    );
    return;
  }
  const counts = new Map();
  for (const { won } of map.cells.values()) {
    const name = !won || !won.best ? 'no value' : won.tie ? 'a tie' : won.best;
    counts.set(name, (counts.get(name) || 0) + 1);
  }
  const items = [...counts]
    .sort((a, b) => b[1] - a[1])
    .map(([name, n]) =>
      element(
        'li',
        {},
        element(
          'span',
          { class: 'name' },
          name in page.schemes
            ? swatch(
                {
                  ...lookOf(schemeAxis, name),
                  color: page.looks[page.schemes[name] % page.looks.length].color,
                },
                false,
              )
            : '',
          element('span', {}, name),
        ),
        element('span', { class: 'value' }, String(n)),
      ),
    );
  box.replaceChildren(
    element('h3', {}, 'Cells won'),
    element('ul', { class: 'legend' }, ...items),
    element(
      'p',
      { class: 'note' },
      'In a cell: by what factor its scheme beats the next. ~ and a pale colour: a tie, intervals overlap. ?: too few samples.',
    ),
  );
}

function readNothing() {
  byId('readout').replaceChildren();
  if (byId('place')) byId('place').textContent = byId('place').dataset.title;
  for (const e of document.querySelectorAll('#series .value, #series .ends')) e.textContent = '';
}

// readValues shows the value of every series at one place, and what to doubt there.
function readValues(layer, head, found) {
  const values = document.querySelectorAll('#series .value');
  const ends = document.querySelectorAll('#series .ends');
  const unit = layer.measure.unit;
  const notes = [];
  found.forEach((p, k) => {
    values[k].textContent = ends[k].textContent = '';
    if (!p) return;
    values[k].textContent = layer.stairs
      ? decimal(p.v ?? 0, 3)
      : quantity(p.v, unit) + (p.doubt ? ' ?' : '');
    const model = p.model == null ? '' : ', closed form ' + quantity(p.model, unit);
    ends[k].textContent = interval(p.v, p.lo, p.hi, unit) + model;
    for (const text of doubtsOf(p)) notes.push(layer.series[k].label + ': ' + text);
  });
  byId('place').textContent = head;
  byId('readout').replaceChildren(warningList(notes));
}

// doubtsOf says what is wrong with a row, and how many samples failed.
function doubtsOf({ row }) {
  const failed = row.failed > 0 ? [row.failed + ' of ' + row.samples + ' samples failed'] : [];
  return [...failed, ...row.warnings];
}

const warningList = (notes) =>
  element('ul', { class: 'warnings' }, ...notes.map((t) => element('li', {}, t)));

// readCell shows a cell of a map.
function readCell(cell, [i, j]) {
  const head = [
    [state.x, heat.xs[i]],
    [state.z, heat.ys[j]],
  ]
    .map(([axis, v]) => page.axes[axis].title + ' ' + axisText(axis, v.text))
    .join(', ');
  const lines = [element('p', { class: 'head' }, head)];
  if (state.winners) {
    lines.push(element('p', {}, cell.won ? cell.won.text : 'no value'));
  } else {
    const u = heat.measure.unit;
    const ends = interval(cell.v, cell.lo, cell.hi, u);
    lines.push(
      element('p', {}, quantity(cell.v, u), ends ? element('small', {}, ' ' + ends) : ''),
      warningList(doubtsOf(cell)),
    );
  }
  byId('readout').replaceChildren(...lines);
}
