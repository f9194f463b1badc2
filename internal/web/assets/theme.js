// Colours of the page, in light and dark and on paper, and how series look.

const dark = matchMedia('(prefers-color-scheme: dark)');
let printing = false;

// theme reads the colours of the style sheet, for what is drawn on a canvas.
function theme() {
  const style = getComputedStyle(document.documentElement);
  const of = (name) => style.getPropertyValue('--' + name).trim();
  return {
    ink: of('ink'),
    soft: of('soft'),
    grid: of('grid'),
    paper: of('paper'),
    empty: of('empty'),
    font: (size, weight = '') => weight + ' ' + size + 'px ' + of('font'),
  };
}

const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

// luminance is that of WCAG, between 0 and 1.
function luminance(rgb) {
  const [r, g, b] = rgb.map((c) => {
    const x = c / 255;
    return x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

const css = (rgb) => 'rgb(' + rgb.map(Math.round).join(',') + ')';
const mix = (a, b, share) => a.map((c, i) => c + (b[i] - c) * share);

// visible lightens a colour until it shows on a dark page.
function visible(hex) {
  let rgb = channels(hex);
  if (!dark.matches || printing) return css(rgb);
  while ((luminance(rgb) + 0.05) / (0.012 + 0.05) < 4.5) rgb = mix(rgb, [255, 255, 255], 0.08);
  return css(rgb);
}

// lookOf is the look of a series: a scheme has its own, other values take them in order.
function lookOf(axis, text, place) {
  const at = axis === schemeAxis ? page.schemes[text] : place;
  const look = page.looks[at % page.looks.length];
  return { color: visible(look.color), dash: look.dash || [], shape: look.shape };
}

// ramp returns the colour at a position from 0 to 1.
function ramp(colours, at) {
  const place = Math.max(0, Math.min(1, at)) * (colours.length - 1);
  const i = Math.min(Math.floor(place), colours.length - 2);
  return mix(channels(colours[i]), channels(colours[i + 1]), place - i);
}

// inkOn is black or white, whichever is read better on a colour.
const inkOn = (rgb) => (luminance(rgb) > 0.25 ? '#111' : '#fff');

// mark draws the mark of a series: hollow where the samples do not carry the value.
function mark(c, look, x, y, radius, hollow, paper) {
  c.beginPath();
  look.shape.forEach(([dx, dy], i) => {
    c[i ? 'lineTo' : 'moveTo'](x + dx * radius, y - dy * radius);
  });
  c.closePath();
  c.fillStyle = hollow ? paper : look.color;
  c.fill();
  c.lineWidth = radius / 2.4;
  c.strokeStyle = hollow ? look.color : paper;
  if (!hollow) c.lineWidth = radius / 5;
  c.stroke();
}
