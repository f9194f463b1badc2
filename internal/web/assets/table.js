// The table of all rows.

const rowsAtOnce = 100;
let most = rowsAtOnce;

// tableColumns are a column for each axis, what was counted, each measure with its interval, and
// warnings.
function tableColumns() {
  const axes = page.axes.map((a, i) => ({
    key: a.path,
    title: a.title,
    text: (row) => axisText(i, row.axes[i]),
    order: (row) => numberOf(row.axes[i]) ?? row.axes[i],
    numeric: i !== schemeAxis,
  }));
  const counts = ['samples', 'failed']
    .map((key) => ({
      key,
      title: capital(key),
      numeric: true,
      text: (row) => (row[key] == null ? '' : String(row[key])),
      order: (row) => row[key],
    }))
    .filter((c) => c.key !== 'failed' || state.all || rows.some((r) => r.failed > 0));
  const list = page.measures
    .filter((m) => (state.all || m.brief) && m.key !== 'samples' && m.key !== 'failed')
    .map((m) => ({
      key: m.key,
      title: m.title,
      numeric: true,
      measure: m,
      text: (row) => quantity(estimate(m, row).v, m.unit),
      order: (row) => estimate(m, row).v,
    }));
  const warnings = {
    key: 'warnings',
    title: 'Warnings',
    text: (row) => row.warnings.join('; '),
    order: (row) => row.warnings.join('; '),
  };
  return [...axes, ...counts, ...list, ...(rows.some((r) => r.warnings.length) ? [warnings] : [])];
}

// showTable draws the table as the state has it.
function showTable() {
  const columns = tableColumns();
  const words = state.query.toLowerCase().split(/\s+/).filter(Boolean);
  const text = (row) =>
    (columns.map((c) => c.text(row)).join(' ') + ' ' + row.axes.join(' ')).toLowerCase();
  let list = rows.filter((row) => words.length === 0 || words.every((w) => text(row).includes(w)));
  const by = columns.find((c) => c.key === state.sort);
  if (by) list = sorted(list, by);
  const head = element('tr', {}, ...columns.map((c) => headOf(c)));
  const body = list
    .slice(0, most)
    .map((row) =>
      element(
        'tr',
        { class: row.warnings.length || row.failed ? 'doubted' : null },
        ...columns.map((c) => cellOf(c, row)),
      ),
    );
  const caption = element(
    'caption',
    {},
    list.length === rows.length
      ? rows.length + ' rows'
      : list.length + ' of ' + rows.length + ' rows',
  );
  byId('table').replaceChildren(
    element('table', {}, caption, element('thead', {}, head), element('tbody', {}, ...body)),
  );
  const rest = list.length - most;
  byId('more').replaceChildren(
    ...(rest > 0
      ? [
          element(
            'button',
            {
              type: 'button',
              onclick: () => {
                most = Infinity;
                showTable();
              },
            },
            'Show ' + rest + ' more rows',
          ),
        ]
      : []),
  );
}

// sorted orders rows; unknown values come last either way.
function sorted(list, by) {
  const compare = (a, b) =>
    typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b));
  return list.slice().sort((r, s) => {
    const [a, b] = [by.order(r), by.order(s)];
    if (a == null || b == null) return (a == null) - (b == null);
    return (state.down ? -1 : 1) * compare(a, b) || r.index - s.index;
  });
}

function headOf(c) {
  const here = state.sort === c.key;
  const arrow = here ? (state.down ? ' ▼' : ' ▲') : '';
  return element(
    'th',
    {
      scope: 'col',
      class: c.numeric ? 'number' : null,
      'aria-sort': here ? (state.down ? 'descending' : 'ascending') : 'none',
    },
    element(
      'button',
      {
        type: 'button',
        'data-column': c.key,
        title: c.measure && c.measure.doc,
        onclick: () => sortBy(c.key),
      },
      c.title + arrow,
    ),
  );
}

function sortBy(key) {
  state.down = state.sort === key ? !state.down : false;
  state.sort = key;
  showTable();
  remember();
  const again = [...document.querySelectorAll('#table th button')].find(
    (b) => b.dataset.column === key,
  );
  if (again) again.focus();
}

function cellOf(c, row) {
  if (!c.measure) return element('td', { class: c.numeric ? 'number' : null }, c.text(row));
  const e = estimate(c.measure, row);
  const ends = interval(e.v, e.lo, e.hi, c.measure.unit);
  const cell = element('td', { class: 'number' }, c.text(row));
  if (e.doubt && e.v != null)
    cell.append(element('span', { class: 'few', title: 'too few samples' }, ' ?'));
  if (ends) cell.append(element('small', {}, ends));
  return cell;
}
