// Answers from the program that serves the page.

// answers asks, and hands over every part as it comes: one line of JSON each.
async function answers(what, signal, take) {
  const response = await fetch('ask', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(what),
    signal,
  });
  if (!response.ok) throw new Error((await response.text()).trim() || response.statusText);
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { value, done } = await reader.read();
    if (done) return;
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    for (const line of lines) take(JSON.parse(line));
  }
}
