// What the page was given, and tables in it.

const page = JSON.parse(document.getElementById('data').textContent);

// parseCSV reads what the program wrote: fields with commas or quotes are quoted, rows are lines.
function parseCSV(text) {
  const records = [];
  let record = [];
  const field = /("(?:[^"]|"")*"|[^,\n]*)(,|\n|$)/gy;
  while (field.lastIndex < text.length) {
    const [, raw, end] = field.exec(text);
    record.push(raw.startsWith('"') ? raw.slice(1, -1).replaceAll('""', '"') : raw);
    if (end !== ',') {
      records.push(record);
      record = [];
    }
  }
  return { names: records[0] || [], records: records.slice(1) };
}

const numberOf = (text) => (text === '' || text == null || isNaN(text) ? null : Number(text));
