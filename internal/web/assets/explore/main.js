// Asking, and showing what is known by now.

let asking = null; // of what is being answered
let timer = 0;
let ready = Promise.resolve(); // when answers can be had

// changed asks anew, once the hand rests for a moment.
function changed() {
  remember();
  clearTimeout(timer);
  timer = setTimeout(ask, 60);
}

// ask calls off what is no longer wanted, and shows every part as it comes.
async function ask() {
  if (asking) asking.abort();
  const mine = (asking = new AbortController());
  byId('now').classList.add('stale');
  byId('around').classList.add('stale');
  document.body.dataset.state = 'asking';
  const what = {
    values: wanted.values,
    schemes: wanted.schemes,
    parts: ['here', 'drop', 'distance'],
  };
  try {
    await ready;
    await answers(what, mine.signal, (part) => {
      if (mine === asking) take(part);
    });
    if (mine === asking) document.body.dataset.state = 'done';
  } catch (error) {
    if (mine !== asking || mine.signal.aborted) return;
    byId('fault').textContent = 'No answer: ' + error.message;
    document.body.dataset.state = 'failed';
  }
}

// take shows a part.
function take(part) {
  if (part.fault && !part.part) {
    byId('fault').textContent = part.fault;
    document.body.dataset.state = 'failed';
    return;
  }
  byId('fault').textContent = '';
  if (part.part === 'text') {
    latest.text = part.text;
    byId('text').textContent = part.text;
    return;
  }
  if (part.fault && part.part === 'here') {
    byId('fault').textContent = part.fault;
    return;
  }
  if (!part.fault) part.table = tableOf(part);
  latest[part.part] = part;
  if (part.part === 'here') {
    byId('now').classList.remove('stale');
    taken.clear();
    part.table.rows.forEach((r) => lookOfScheme(r.scheme));
    paintSchemes();
    showHere();
  } else {
    byId('around').classList.remove('stale');
    showAround(part.part);
  }
}

function showHere() {
  const part = latest.here;
  byId('verdict').replaceChildren(...verdictOf(winsOf(part)[0]));
  byId('progress').value = part.samples / part.of;
  byId('count').textContent =
    (part.samples < part.of ? part.samples + ' of ' : '') + part.of + ' samples of each scheme';
  showBars();
  showTable();
}

function showAll() {
  if (latest.here) showHere();
  for (const name of ['drop', 'distance']) if (latest[name]) showAround(name);
  paintSchemes();
}

// goTo sets the axis of a figure to a place on it.
function goTo(name, place) {
  const knob = page.state.knobs.find((k) => k.key === name);
  const step = knob.steps.find((s) => Math.abs(amount(s) / place - 1) < 1e-6);
  if (!step) return;
  setValue(name, step);
  showKnobs();
  changed();
}

// showMeasures makes the list of what is shown.
function showMeasures() {
  const list = element(
    'select',
    {
      id: 'measure',
      onchange: (e) => {
        wanted.measure = e.target.value;
        remember();
        showAll();
      },
    },
    ...page.state.measures.map((m) =>
      element('option', { value: m.column, selected: m.column === wanted.measure }, m.title),
    ),
  );
  byId('show').replaceChildren(
    element('label', { class: 'control' }, element('span', {}, 'Show'), list),
  );
}

// download saves a text under the name of the link.
function download(text, type, ending) {
  const name = (page.state.name || 'link').replace(/[^\w.-]+/g, '_') + '-link' + ending;
  const url = URL.createObjectURL(new Blob([text || ''], { type }));
  const link = element('a', { href: url, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10000);
}

// copy selects the text too, where a page may not write to the clipboard.
function copy() {
  const range = document.createRange();
  range.selectNodeContents(byId('text'));
  getSelection().removeAllRanges();
  getSelection().addRange(range);
  if (navigator.clipboard) navigator.clipboard.writeText(latest.text || '').catch(() => {});
}

function startPage() {
  const open = () => {
    recall();
    showKnobs();
    showMeasures();
    ask();
  };
  byId('more').replaceChildren(
    ...page.state.catalog.map((k) => element('option', { value: k.name, title: k.doc }, k.name)),
  );
  byId('add').addEventListener('click', () => {
    change((list) => list.push({ name: byId('more').value, label: '', params: {} }));
    showSchemes();
  });
  byId('reset').addEventListener('click', () => {
    history.replaceState(null, '', location.href.split('#')[0]);
    open();
  });
  byId('save').addEventListener('click', () => download(latest.text, 'application/yaml', '.yaml'));
  byId('csv').addEventListener('click', () =>
    download(latest.here && latest.here.points, 'text/csv', '.csv'),
  );
  byId('copy').addEventListener('click', copy);
  byId('knobs').addEventListener('submit', (e) => e.preventDefault());
  for (const link of document.querySelectorAll('header a')) {
    link.addEventListener('click', (e) => {
      e.preventDefault();
      document.querySelector(link.getAttribute('href')).scrollIntoView();
    });
  }
  dark.addEventListener('change', showAll);
  addEventListener('hashchange', open);
  let width = innerWidth;
  addEventListener('resize', () => {
    if (innerWidth !== width) {
      width = innerWidth;
      showAll();
    }
  });
  open();
}

startPage();
