// Numbers and their units, as people write them.

// decimal writes a number with so many significant digits; as 2.5×10⁻⁵ outside of 0.001 to a million.
function decimal(v, digits) {
  const a = Math.abs(v);
  if (v !== 0 && (a < 1e-3 || a >= 1e6)) {
    const [mantissa, exponent] = v.toExponential(digits - 1).split('e');
    const m = String(+mantissa);
    const ten = '10' + raised(exponent.replace('+', ''));
    return m === '1' ? ten : minus(m) + '×' + ten;
  }
  return minus(String(+v.toPrecision(digits)));
}

const minus = (text) => text.replace('-', '\u2212');

// raised writes an exponent.
function raised(text) {
  return text.replace(/[-\d]/g, (c) => (c === '-' ? '⁻' : '⁰¹²³⁴⁵⁶⁷⁸⁹'[c]));
}

// pick returns the largest multiple of a unit that is not above the value, or the smallest.
function pick(unit, v) {
  const steps = page.units[unit].steps;
  if (v === 0) return steps[0];
  return steps.find((s) => Math.abs(v) >= s.factor * (1 - 1e-9)) || steps[steps.length - 1];
}

// quantity writes a value with its unit: 28.3 ms.
function quantity(v, unit, digits = 4) {
  if (v == null || !isFinite(v)) return '–';
  const step = pick(unit, v);
  return inStep(v, step, digits) + (step.symbol ? ' ' + step.symbol : '');
}

const inStep = (v, step, digits) => decimal(v / step.factor, digits);

// interval writes the ends of an interval in the unit of its value, with digits that tell them apart.
function interval(v, lo, hi, unit) {
  if (lo == null && hi == null) return '';
  const step = pick(unit, v);
  const apart = lo != null && hi != null && hi > lo ? Math.abs(v) / (hi - lo) : 1;
  const digits = Math.min(9, Math.max(4, Math.ceil(Math.log10(apart || 1)) + 2));
  const end = (x) => (x == null ? '?' : inStep(x, step, digits));
  return '[' + end(lo) + ', ' + end(hi) + ']' + (step.symbol ? ' ' + step.symbol : '');
}

// capital starts a sentence.
const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);

// lower makes a title fit into a sentence, unless it starts with an abbreviation.
const lower = (text) => (/^[A-Z][a-z]/.test(text) ? text[0].toLowerCase() + text.slice(1) : text);
