// How schemes look: those that own a colour have it, others take the next that is free.

const taken = new Map();

function lookOfScheme(label) {
  if (!taken.has(label)) {
    const owned = new Set(Object.values(page.schemes));
    const used = new Set(taken.values());
    let at = page.schemes[label];
    if (at === undefined) at = page.looks.findIndex((_, i) => !owned.has(i) && !used.has(i));
    taken.set(label, at < 0 ? taken.size % page.looks.length : at);
  }
  const look = page.looks[taken.get(label)];
  return { color: visible(look.color), dash: look.dash || [], shape: look.shape };
}

// paintSchemes gives the cards of schemes the colours of their rows.
function paintSchemes() {
  const labels = latest.here ? latest.here.table.rows.map((r) => r.scheme) : [];
  document.querySelectorAll('[data-card]').forEach((card, i) => {
    if (labels.length !== chosen().length) return;
    card.style.setProperty('--own', lookOfScheme(labels[i]).color);
    card.querySelector('.head b').textContent = labels[i];
  });
}
