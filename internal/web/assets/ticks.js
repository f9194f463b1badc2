// Ticks of axes.

// linearTicks are round values between two others.
function linearTicks(lo, hi, most) {
  const rough = (hi - lo) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((f) => f * power).find((s) => s >= rough * (1 - 1e-9));
  const list = [];
  for (let i = Math.ceil(lo / step - 1e-9); i * step <= hi + step * 1e-9; i++) list.push(i * step);
  return list;
}

// logTicks are decades, with parts of them where there are few, or some of them where many.
function logTicks(lo, hi, most) {
  const from = Math.floor(Math.log10(lo));
  const to = Math.ceil(Math.log10(hi));
  const within = (list) => list.filter((v) => v >= lo * (1 - 1e-9) && v <= hi * (1 + 1e-9));
  const decades = (parts, stride = 1) => {
    const list = [];
    for (let e = from; e <= to; e += stride) for (const p of parts) list.push(Number(p + 'e' + e));
    return within(list);
  };
  for (const parts of [
    [1, 2, 3, 4, 5, 6, 7, 8, 9],
    [1, 2, 5],
    [1, 3],
  ]) {
    const list = decades(parts);
    if (list.length <= most && list.length > 0)
      return list.length < 3 ? linearTicks(lo, hi, 5) : list;
  }
  for (let stride = 1; ; stride++) {
    const list = decades([1], stride);
    if (list.length <= most) return list.length < 2 ? linearTicks(lo, hi, 5) : list;
  }
}

// binaryTicks are powers of two of bytes.
function binaryTicks(lo, hi, most) {
  const from = Math.ceil(Math.log2(lo) - 1e-9);
  const to = Math.floor(Math.log2(hi) + 1e-9);
  const list = [];
  for (let stride = 1; ; stride++) {
    if ((to - from) / stride + 1 > most) continue;
    for (let e = Math.ceil(from / stride) * stride; e <= to; e += stride) list.push(2 ** e);
    return list;
  }
}

// scaleOf decides how an axis of numbers runs: its ends, whether by factors, where zero is.
function scaleOf({ values, log, unit, base }) {
  const known = values.filter((v) => v != null && isFinite(v));
  const positive = known.filter((v) => v > 0);
  if (log && positive.length > 0) {
    let lo = Math.min(...positive);
    let hi = Math.max(...positive);
    const pad = lo < hi ? (hi / lo) ** 0.04 : 1.5;
    const zero = known.includes(0) ? lo / Math.max(3, (hi / lo) ** 0.1) : null;
    lo = zero == null ? lo / pad : zero / pad;
    return { log: true, lo, hi: hi * pad, unit, zero };
  }
  let lo = known.length ? Math.min(...known) : 0;
  let hi = known.length ? Math.max(...known) : 1;
  if (base === 'zero' || (lo >= 0 && lo <= 0.4 * hi)) lo = Math.min(0, lo);
  const pad = hi > lo ? 0.05 * (hi - lo) : Math.abs(hi) * 0.2 || 1;
  return { log: false, lo: lo === 0 ? 0 : lo - pad, hi: hi + pad, unit, zero: null };
}

// ticksOf lists ticks between two values of a scale. Prefer are values that have labels of their own.
function ticksOf(scale, lo, hi, most, prefer = []) {
  const inside = prefer.filter((v) => v >= lo && v <= hi);
  if (inside.length > 1 && inside.length <= most && spread(scale, inside, lo, hi, most))
    return inside;
  let list;
  if (!scale.log) {
    const step = pick(scale.unit, Math.max(Math.abs(lo), Math.abs(hi)));
    return linearTicks(lo / step.factor, hi / step.factor, most).map((v) => v * step.factor);
  }
  const from = scale.zero == null ? lo : Math.max(lo, scale.zero * 1.5);
  if (page.units[scale.unit].binary) list = binaryTicks(from, hi, most);
  else list = logTicks(from, hi, most);
  return scale.zero != null && scale.zero >= lo ? [scale.zero, ...list] : list;
}

// spread tells whether labels at these values would not run into each other.
function spread(scale, values, lo, hi, most) {
  const place = (v) => (scale.log ? Math.log(v / lo) / Math.log(hi / lo) : (v - lo) / (hi - lo));
  return values.every((v, i) => i === 0 || place(v) - place(values[i - 1]) > 0.7 / most);
}

// tickText labels a tick.
const tickText = (scale, v) => (v === scale.zero || v === 0 ? '0' : quantity(v, scale.unit, 3));

// byFactors tells whether values are spread by factors rather than by steps.
function byFactors(numbers) {
  const positive = numbers.filter((v) => v > 0);
  if (positive.length < 3 || positive.length < numbers.length - 1) return false;
  const factors = positive.slice(1).map((v, i) => v / positive[i]);
  const least = Math.min(...factors);
  return least >= 1.4 && Math.max(...factors) <= 1.4 * least;
}

// overDecades tells whether values are better read on a logarithmic axis.
function overDecades(numbers) {
  const positive = numbers.filter((v) => v > 0);
  if (positive.length < 2 || numbers.some((v) => v < 0)) return false;
  const factor = Math.max(...positive) / Math.min(...positive);
  return factor >= (positive.length < numbers.length ? 100 : 20);
}
