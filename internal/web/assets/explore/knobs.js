// What can be changed: the values of the link, and the schemes with their parameters.

// wanted is what was changed: values by knob, and the schemes once one of them was.
const wanted = { values: {}, schemes: null, measure: page.state.measures[0].column };

const chosen = () => wanted.schemes || page.state.schemes;

// amount reads a value with its unit, so that sliders know what is near; null where it is none.
const factors = {
  bps: 1,
  kbps: 1e3,
  Mbps: 1e6,
  Gbps: 1e9,
  Tbps: 1e12,
  B: 1,
  KiB: 2 ** 10,
  MiB: 2 ** 20,
  GiB: 2 ** 30,
  TiB: 2 ** 40,
  kB: 1e3,
  MB: 1e6,
  GB: 1e9,
  m: 1,
  km: 1e3,
  // a round-trip time as the length of fibre that has it
  ps: 1.0210915e-4,
  ns: 0.10210915,
  us: 102.10915,
  ms: 102109.15,
  s: 102109148,
  '%': 0.01,
  '': 1,
};
function amount(text) {
  const [, number, unit] = /^\s*([-+.\deE]*\d)\s*([a-zA-Z%]*)\s*$/.exec(text) || [];
  if (number === undefined || !(unit in factors)) return null;
  const v = Number(number) * factors[unit];
  return isFinite(v) ? v : null;
}

// nearestStep is the place on a slider that is next to a value, by the factor between them.
function nearestStep(steps, text) {
  const v = amount(text);
  if (v == null) return 0;
  const away = (s) => Math.abs(Math.log((v || 1e-12) / amount(s)));
  return steps.reduce((best, s, i) => (away(s) < away(steps[best]) ? i : best), 0);
}

// setValue notes that a value of the link was changed.
function setValue(key, text) {
  const knob = page.state.knobs.find((k) => k.key === key);
  if (text === '' || text === knob.text) delete wanted.values[key];
  else wanted.values[key] = text;
}

const valueOf = (knob) => wanted.values[knob.key] ?? knob.text;

// knobOf makes the controls of a value: a slider over usual ones, and a field for any.
function knobOf(knob) {
  const id = 'knob-' + knob.key;
  const field = element('input', {
    type: 'text',
    id,
    value: valueOf(knob),
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-describedby': knob.hint ? id + '-hint' : null,
    maxlength: 40,
    oninput: (e) => {
      setValue(knob.key, e.target.value.trim());
      if (slider) showStep();
      changed();
    },
  });
  const slider =
    knob.steps &&
    element('input', {
      type: 'range',
      min: 0,
      max: knob.steps.length - 1,
      step: 1,
      'data-knob': knob.key,
      'aria-label': knob.title,
      oninput: (e) => {
        field.value = knob.steps[+e.target.value];
        setValue(knob.key, field.value);
        slider.setAttribute('aria-valuetext', field.value);
        changed();
      },
    });
  const showStep = () => {
    slider.value = nearestStep(knob.steps, field.value);
    slider.setAttribute('aria-valuetext', field.value || 'as in the file');
  };
  if (slider) showStep();
  return element(
    'div',
    { class: 'knob' },
    element('label', { for: id }, knob.title),
    element('div', { class: slider ? 'line' : 'line alone' }, ...(slider ? [slider] : []), field),
    ...(knob.hint ? [element('small', { id: id + '-hint' }, knob.hint)] : []),
  );
}

const kindOf = (name) => page.state.catalog.find((k) => k.name === name);

// change lets a function change the schemes.
function change(how) {
  wanted.schemes = chosen().map((s) => ({ ...s, params: { ...s.params } }));
  how(wanted.schemes);
  changed();
}

// paramOf makes the field of a parameter.
function paramOf(scheme, index, param) {
  const value = (scheme.params || {})[param.name] || '';
  const set = (e) =>
    change((list) => {
      const text = e.target.value.trim();
      if (text) list[index].params[param.name] = text;
      else delete list[index].params[param.name];
    });
  const usual = param.default || 'default';
  const control = param.choices
    ? element(
        'select',
        { onchange: set },
        element('option', { value: '' }, usual),
        ...param.choices
          .filter((c) => c !== param.default)
          .map((c) => element('option', { value: c, selected: c === value }, c)),
      )
    : element('input', {
        type: 'text',
        value,
        placeholder: usual,
        oninput: set,
        autocomplete: 'off',
        spellcheck: 'false',
        maxlength: 40,
        'data-param': param.name,
      });
  return element('label', { title: param.doc }, param.name, control);
}

// schemeOf makes the card of a scheme. Parameters that are not given are folded away.
function schemeOf(scheme, index, open) {
  const kind = kindOf(scheme.name) || { doc: '', params: [] };
  const given = kind.params.filter((p) => (scheme.params || {})[p.name]);
  const others = kind.params.filter((p) => !given.includes(p));
  const label = element('input', {
    type: 'text',
    value: scheme.label || '',
    placeholder: scheme.name,
    maxlength: 64,
    oninput: (e) =>
      change((list) => {
        list[index].label = e.target.value.trim();
      }),
  });
  return element(
    'div',
    { class: 'scheme', 'data-card': index },
    element(
      'p',
      { class: 'head', title: kind.doc },
      element('b', {}, scheme.label || scheme.name),
      element(
        'button',
        {
          type: 'button',
          'aria-label': 'Remove ' + (scheme.label || scheme.name),
          onclick: () => {
            change((list) => {
              list.splice(index, 1);
            });
            showSchemes();
            byId('more').focus();
          },
        },
        '×',
      ),
    ),
    ...(given.length
      ? [element('div', { class: 'params' }, ...given.map((p) => paramOf(scheme, index, p)))]
      : []),
    element(
      'details',
      { open: open.has(index) },
      element('summary', {}, given.length ? 'More parameters' : 'Parameters'),
      element(
        'div',
        { class: 'params' },
        element('label', {}, 'label', label),
        ...others.map((p) => paramOf(scheme, index, p)),
      ),
    ),
  );
}

function showSchemes() {
  const box = byId('schemes');
  const open = new Set(
    [...box.querySelectorAll('[data-card]')]
      .filter((c) => c.querySelector('details').open)
      .map((c) => +c.dataset.card),
  );
  box.replaceChildren(...chosen().map((s, i) => schemeOf(s, i, open)));
  paintSchemes();
}

function showKnobs() {
  byId('values').replaceChildren(...page.state.knobs.map(knobOf));
  showSchemes();
}

// remember writes what was changed into the address.
function remember() {
  const hash = new URLSearchParams(wanted.values);
  if (wanted.schemes) hash.set('schemes', JSON.stringify(wanted.schemes));
  if (wanted.measure !== page.state.measures[0].column) hash.set('show', wanted.measure);
  const text = hash.toString();
  history.replaceState(null, '', text ? '#' + text : location.href.split('#')[0]);
}

// recall reads the address, whatever is in it.
function recall() {
  const hash = new URLSearchParams(location.hash.slice(1));
  wanted.values = {};
  for (const knob of page.state.knobs) {
    if (hash.has(knob.key)) setValue(knob.key, hash.get(knob.key).slice(0, 40));
  }
  wanted.schemes = schemesIn(hash.get('schemes'));
  const known = page.state.measures.map((m) => m.column);
  wanted.measure = known.includes(hash.get('show')) ? hash.get('show') : known[0];
}

// schemesIn reads schemes from a text; null where it is not of schemes.
function schemesIn(text) {
  try {
    const list = JSON.parse(text);
    const words = (o) => o && Object.values(o).every((v) => typeof v === 'string');
    if (!Array.isArray(list) || !list.every((s) => typeof s.name === 'string')) return null;
    if (!list.every((s) => typeof (s.label || '') === 'string' && words(s.params || {})))
      return null;
    return list.map((s) => ({ name: s.name, label: s.label || '', params: s.params || {} }));
  } catch {
    return null;
  }
}
