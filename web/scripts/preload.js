// Runs before anything is painted; the build puts it into the page with the names of the files. Whatever the address asks for is
// on its way from here on, beside the page's own scripts.
{
  const rules = {
    createScriptURL(address) {
      const url = new URL(address, document.baseURI);
      if (url.origin !== location.origin) throw new TypeError("a script of another origin");
      return url.href;
    },
  };
  const policy = globalThis.trustedTypes?.createPolicy("podwright", rules) ?? rules;
  const preloaded = { policy };
  globalThis.podwrightPreloaded = preloaded;

  const screen = /^#\/([a-z]+)/.exec(location.hash)?.[1];
  if (screen !== undefined) document.documentElement.classList.add("to-another-screen");
  if (!"%noEngine%".split(" ").includes(screen)) {
    preloaded.worker = new Worker(policy.createScriptURL("%worker%"), { type: "module", name: "podwright-engine" });
    preloaded.worker.onerror = (event) => {
      event.preventDefault();
      preloaded.failed = event.message || "the worker failed";
    };
  }
  // A host may have half of a new version, and a network may give pages of its own: then the page's scripts or styles are not these.
  addEventListener("load", () => {
    if (preloaded.hasBegun && document.styleSheets[0]?.cssRules.length > 0) return;
    const notice = document.createElement("p");
    notice.className = "notice";
    notice.role = "alert";
    notice.textContent = "%unfinished%";
    document.body.prepend(notice);
    // Once it is tried again without being asked.
    if (performance.navigation.type === 0) setTimeout(() => location.reload(), 10_000);
  });
  const files = "%files%";
  const asks = "%asking%".split(" ").includes(screen);
  // An address that leads nowhere opens the plan, which needs no further files.
  for (const file of files[asks ? "asking" : screen] ?? []) {
    const link = document.createElement("link");
    link.rel = file.endsWith(".js") ? "modulepreload" : "preload";
    if (link.rel === "preload") link.as = "style";
    link.crossOrigin = "";
    link.href = file;
    document.head.append(link);
  }
  if (asks) {
    preloaded.screen = screen;
    preloaded.requests = fetch(`screens/%digest%/${screen}.json`);
    preloaded.requests.catch(() => undefined);
  }
}
