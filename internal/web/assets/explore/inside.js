// Answers from the simulator inside of the page, which workers run.

// bytesOf decodes five signs to four bytes; the first sign says how many bytes are too many.
function bytesOf(text) {
  const alphabet = byId('alphabet').textContent;
  const digits = new Uint8Array(128);
  for (let i = 0; i < alphabet.length; i++) digits[alphabet.charCodeAt(i)] = i;
  const out = new Uint8Array(((text.length - 1) / 5) * 4);
  const view = new DataView(out.buffer);
  for (let i = 1, at = 0; i < text.length; i += 5, at += 4) {
    let v = 0;
    for (let k = 0; k < 5; k++) v = v * 85 + digits[text.charCodeAt(i + k)];
    view.setUint32(at, v);
  }
  return out.subarray(0, out.length - Number(text[0]));
}

// compiled is the simulator, which all workers share.
const compiled = (async () => {
  if (typeof DecompressionStream === 'undefined' || typeof WebAssembly === 'undefined')
    throw new Error('this browser is too old for WebAssembly or DecompressionStream');
  const packed = new Blob([bytesOf(byId('program').textContent)]).stream();
  const plain = packed.pipeThrough(new DecompressionStream('gzip'));
  return WebAssembly.compile(await new Response(plain).arrayBuffer());
})();
compiled.catch(() => {}); // told when something is asked

const workerURL = URL.createObjectURL(
  new Blob([byId('runtime').textContent, byId('worker').textContent], { type: 'text/javascript' }),
);

const idle = []; // workers that have the simulator and nothing to do

async function aWorker() {
  const module = await compiled;
  if (idle.length) return idle.pop();
  const worker = new Worker(workerURL);
  worker.postMessage({ module });
  return worker;
}

// share divides parts among workers: the link itself has one of its own.
function share(parts) {
  const around = parts.filter((p) => p !== 'here');
  const groups = (navigator.hardwareConcurrency || 2) > 2 ? around.map((p) => [p]) : [around];
  return [parts.filter((p) => p === 'here'), ...groups].filter((g) => g.length);
}

// answers asks one worker for each group of parts. A worker has one thread: what is no longer wanted
// ends with its worker.
async function answers(what, signal, take) {
  const one = async (parts) => {
    const worker = await aWorker();
    if (signal.aborted) {
      idle.push(worker);
      return;
    }
    await new Promise((done, failed) => {
      const stop = () => {
        worker.terminate();
        done();
      };
      signal.addEventListener('abort', stop);
      worker.onerror = (e) => failed(new Error(e.message));
      worker.onmessage = ({ data }) => {
        if (data.part) return take(JSON.parse(data.part));
        signal.removeEventListener('abort', stop);
        if (data.error) return failed(new Error(data.error));
        idle.push(worker);
        done();
      };
      worker.postMessage({
        base: JSON.stringify(page.base),
        ask: JSON.stringify({ ...what, parts }),
      });
    });
  };
  await Promise.all(share(what.parts).map(one));
}
