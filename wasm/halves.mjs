// The site carries the engine in two files: the functions that the first answer of the page runs through, and all others
// (split_engine.mjs parts them). A call of a function that is not there yet comes here and brings the rest in.

/**
 * What `createEngine` of engine.mjs takes to start with the first file, and what brings the second one in ahead of need.
 * `first`: the compiled first file, or a promise of it. `rest`: gives the compiled second file at once.
 */
export function halves(first, rest) {
  let parts;
  let table;

  function loadRest() {
    if (parts === undefined || table !== undefined) return;
    table = Object.values(parts).find((one) => one instanceof WebAssembly.Table);
    // Its elements take the places of the stand-ins in the table.
    new WebAssembly.Instance(rest(), { primary: parts });
  }
  const standIn =
    (place) =>
    (...values) => {
      loadRest();
      return table.get(place)(...values);
    };
  const placeholder = new Proxy({}, { get: (_, place) => standIn(Number(place)) });

  function instantiateWasm(imports, done) {
    Promise.resolve(first)
      .then((module) => WebAssembly.instantiate(module, { ...imports, placeholder }))
      .then((instance) => {
        parts = instance.exports;
        done(instance);
      }, failed);
    return {};
  }
  let failed;
  const failure = new Promise((_, reject) => {
    failed = reject;
  });
  return { instantiateWasm, loadRest, failure };
}
