// The rows of points.csv, and what is known of them.

const points = parseCSV(page.points);
const columnAt = new Map(points.names.map((name, i) => [name, i]));

// rows have the texts of their axes, and what to doubt.
const rows = points.records.map((record, index) => ({
  index,
  record,
  axes: page.axes.map((a) => record[columnAt.get(a.path)]),
  warnings: (record[columnAt.get('warnings')] || '').split('; ').filter(Boolean),
  samples: numberOf(record[columnAt.get('samples')]),
  failed: numberOf(record[columnAt.get('failed')]),
}));

const schemeAxis = page.axes.length - 1;
const axisIndex = new Map(page.axes.map((a, i) => [a.path, i]));
const measures = new Map(page.measures.map((m) => [m.key, m]));
for (const m of page.measures) m.doubts = new Set(m.doubtful);

// estimate reads a measure from a row.
function estimate(m, row) {
  const from = (column, list) => {
    if (column) return numberOf(row.record[columnAt.get(column)]);
    return list ? list[row.index] : null;
  };
  return {
    v: from(m.column, m.values),
    lo: from(m.lo, m.los),
    hi: from(m.hi, m.his),
    model: from(m.model),
    doubt: m.doubts.has(row.index),
    row,
  };
}

// valuesOf lists the values of an axis, numbers ascending.
function valuesOf(axis, among = rows) {
  const seen = new Map();
  for (const row of among) {
    const text = row.axes[axis];
    if (!seen.has(text)) seen.set(text, { text, number: numberOf(text) });
  }
  const list = [...seen.values()];
  if (list.every((v) => v.number != null)) list.sort((a, b) => a.number - b.number);
  return list;
}

const isNumeric = (values) => values.length > 0 && values.every((v) => v.number != null);

// digitsOf is how many digits tell the values of an axis apart, by axis.
const digitsOf = page.axes.map((a, axis) => {
  const numbers = valuesOf(axis)
    .map((v) => v.number)
    .filter((v) => v != null);
  const apart = (digits) => new Set(numbers.map((v) => quantity(v, a.unit, digits))).size;
  return [3, 4, 5].find((digits) => apart(digits) === numbers.length) || 6;
});

// axisText writes a value of an axis with its unit.
function axisText(axis, text) {
  const number = numberOf(text);
  if (number == null || axis === schemeAxis) return text;
  return quantity(number, page.axes[axis].unit, digitsOf[axis]);
}

// varying are the axes on which rows differ.
const varying = page.axes.map((_, i) => i).filter((i) => valuesOf(i).length > 1);

// follows tells whether the value on an axis follows from those on others, as where a sweep moves
// several together.
function follows(axis, others, among) {
  const found = new Map();
  for (const row of among) {
    const key = others.map((i) => row.axes[i]).join('\0');
    if (found.has(key) && found.get(key) !== row.axes[axis]) return false;
    found.set(key, row.axes[axis]);
  }
  return true;
}

// pointKey names the point of a row; points are numbered in the order in which they appear.
const pointKey = (row) => row.axes.slice(0, schemeAxis).join('\0');
const pointAt = new Map();
for (const row of rows) if (!pointAt.has(pointKey(row))) pointAt.set(pointKey(row), pointAt.size);

// steps are the distributions, by the key of their row.
const steps = new Map();
if (page.distribution) {
  const table = parseCSV(page.distribution);
  const at = new Map(table.names.map((name, i) => [name, i]));
  for (const record of table.records) {
    const key = page.axes.map((a) => record[at.get(a.path)]).join('\0');
    if (!steps.has(key)) steps.set(key, []);
    steps
      .get(key)
      .push([Number(record[at.get('completion_s')]), Number(record[at.get('probability')])]);
  }
}
