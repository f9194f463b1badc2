// A worker: it runs the simulator, and hands on every part of an answer.

let started = null;

async function start(module) {
  const go = new Go();
  go.run(await WebAssembly.instantiate(module, go.importObject));
}

onmessage = async ({ data }) => {
  try {
    if (data.module) started = start(data.module);
    await started;
    if (!data.ask) return;
    await sdrsimAnswer(data.base, data.ask, (part) => postMessage({ part }));
    postMessage({ done: true });
  } catch (error) {
    postMessage({ error: String(error) });
  }
};
