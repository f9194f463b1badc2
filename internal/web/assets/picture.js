// Files to take away.

function download(blob, name) {
  const link = element('a', { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 10000);
}

const fileName = (ending) => (page.name.replace(/[^\w.-]+/g, '_') || 'results') + ending;

// downloadCSV gives points.csv as the run has written it.
function downloadCSV() {
  download(new Blob([page.points], { type: 'text/csv' }), fileName('.csv'));
}

// pictureOf draws the figure with its title, what is fixed, and its legend.
function pictureOf() {
  const chart = document.querySelector('#chart canvas');
  const px = devicePixelRatio;
  const colors = theme();
  const series = heat ? [] : shown.series.filter((s) => s.shown);
  const width = chart.width / px;
  const columns = Math.max(1, Math.floor(width / 190));
  const legend = Math.ceil(series.length / columns) * 22;
  const head = byId('fixed').textContent ? 58 : 40;
  const canvas = element('canvas', {
    width: chart.width,
    height: chart.height + (head + legend + 12) * px,
  });
  const c = canvas.getContext('2d');
  c.fillStyle = colors.paper;
  c.fillRect(0, 0, canvas.width, canvas.height);
  c.drawImage(chart, 0, head * px);
  c.scale(px, px);
  c.fillStyle = colors.ink;
  c.font = colors.font(16, '600');
  c.fillText(byId('caption').textContent, 14, 26, width - 28);
  c.fillStyle = colors.soft;
  c.font = colors.font(12);
  c.fillText(byId('fixed').textContent, 14, 45, width - 28);
  series.forEach((s, k) => {
    const x = 20 + (k % columns) * (width / columns);
    const y = head + chart.height / px + Math.floor(k / columns) * 22 + 10;
    c.drawImage(swatch(s.look, shown.connected), x, y - 7, 30, 14);
    c.fillStyle = colors.ink;
    c.fillText(s.label, x + 38, y + 4);
  });
  return canvas;
}

function downloadPNG() {
  pictureOf().toBlob((blob) => download(blob, fileName('.png')));
}
