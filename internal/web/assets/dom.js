// Elements of the page.

// element makes an element with attributes and children.
function element(name, attributes = {}, ...children) {
  const e = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith('on')) e.addEventListener(key.slice(2), value);
    else if (value === true) e.setAttribute(key, '');
    else if (value !== false && value != null) e.setAttribute(key, value);
  }
  e.append(...children);
  return e;
}

const byId = (id) => document.getElementById(id);

// swatch shows how a series looks.
function swatch(look, line = true) {
  const px = devicePixelRatio;
  const canvas = element('canvas', {
    width: 30 * px,
    height: 14 * px,
    'aria-hidden': 'true',
    class: 'swatch',
  });
  const c = canvas.getContext('2d');
  c.scale(px, px);
  c.strokeStyle = look.color;
  c.lineWidth = 2;
  if (line) {
    c.setLineDash(look.dash.map((d) => d * 1.2));
    c.beginPath();
    c.moveTo(0, 7);
    c.lineTo(30, 7);
    c.stroke();
    c.setLineDash([]);
  }
  mark(c, look, 15, 7, 4, false, theme().paper);
  return canvas;
}
