// Parts of an answer as tables, and what is read in them.

// latest are the parts as they are known by now.
const latest = {};

const measureNow = () => page.state.measures.find((m) => m.column === wanted.measure);

// tableOf reads the rows of a part.
function tableOf(part) {
  const { names, records } = parseCSV(part.points);
  const at = new Map(names.map((name, i) => [name, i]));
  const rows = records.map((record, index) => ({
    index,
    place: part.path ? Number(record[at.get(part.path)]) : 0,
    scheme: record[at.get('scheme')],
    samples: Number(record[at.get('samples')]),
    failed: Number(record[at.get('failed')]),
    warnings: (record[at.get('warnings')] || '').split('; ').filter(Boolean),
    number: (column) => (column ? numberOf(record[at.get(column)]) : null),
  }));
  return { rows, schemes: [...new Set(rows.map((r) => r.scheme))] };
}

// estimateOf is a measure of a row, with its interval.
function estimateOf(part, row, m) {
  return {
    v: row.number(m.column),
    lo: row.number(m.lo),
    hi: row.number(m.hi),
    few: ((part.few || {})[m.column] || []).includes(row.index),
  };
}

// factorText is by what factor a winner is better.
function factorText(f) {
  if (f < 1.095) return f.toFixed(3) + '×';
  if (f < 9.95) return f.toFixed(2) + '×';
  return decimal(f, 3) + '×';
}

// verdictOf says who wins, as elements.
function verdictOf(win) {
  const name = (label) => {
    const b = element('b', {}, label);
    b.style.setProperty('--own', lookOfScheme(label).color);
    return b;
  };
  if (!win) return [];
  if (win.failed) return ['All samples failed.'];
  if (!win.best) return ['No value.'];
  const out = [name(win.best)];
  if (win.rivals && win.rivals.length) {
    for (const rival of win.rivals) out.push(' ~ ', name(rival));
    out.push(': a tie, their 95 % intervals overlap.');
  } else if (win.margin) {
    out.push(' is best, by ' + factorText(win.margin) + '.');
  } else {
    out.push(' alone has a value.');
  }
  if (win.gaveUp) out.push(' Every scheme gave up samples.');
  if (win.doubtful) out.push(element('span', { class: 'doubt' }, 'Too few samples to be sure.'));
  return out;
}

const winsOf = (part) => (part.wins || {})[wanted.measure] || [];

// showTable lists every measure of every scheme.
function showTable() {
  const part = latest.here;
  const cell = (row, m) => {
    const e = estimateOf(part, row, m);
    const ends = interval(e.v, e.lo, e.hi, m.unit);
    return element(
      'td',
      { class: 'number' },
      quantity(e.v, m.unit),
      ...(e.few && e.v != null
        ? [element('span', { class: 'few', title: 'too few samples' }, ' ?')]
        : []),
      ...(ends ? [element('small', {}, ends)] : []),
    );
  };
  const measures = page.state.measures;
  byId('rows').replaceChildren(
    element(
      'table',
      {},
      element(
        'thead',
        {},
        element(
          'tr',
          {},
          ...['Scheme', 'Samples', 'Failed', ...measures.map((m) => m.title)].map((t, i) =>
            element('th', { scope: 'col', class: i ? 'number' : null }, t),
          ),
        ),
      ),
      element(
        'tbody',
        {},
        ...part.table.rows.map((row) =>
          element(
            'tr',
            { class: row.failed ? 'doubted' : null },
            element('td', {}, row.scheme),
            element('td', { class: 'number' }, String(row.samples)),
            element('td', { class: 'number' }, String(row.failed)),
            ...measures.map((m) => cell(row, m)),
          ),
        ),
      ),
    ),
  );
  byId('doubts').replaceChildren(
    ...part.table.rows.flatMap((row) =>
      row.warnings.map((text) => element('li', {}, row.scheme + ': ' + text)),
    ),
  );
}
