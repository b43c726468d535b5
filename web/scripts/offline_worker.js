// Keeps every file of one version of the site. The build writes the version and the list of files with the SHA-256 of each. Half of
// this script is no script: it is one block.
{
  const kVersion = "%version%";
  const kFiles = Object.entries("%files%");
  const kOurs = `podwright ${registration.scope} `;
  const kOwn = kOurs + kVersion;
  /** In the files of an older version: the tabs that were open when a newer one took over. */
  const kReaders = "open-tabs";

  const digestOf = async (response) => {
    const digest = await crypto.subtle.digest("SHA-256", await response.clone().arrayBuffer());
    return btoa(String.fromCharCode(...new Uint8Array(digest)));
  };

  /** A host may have half of a new version, and a network may give pages of its own: only what the list says is kept. */
  const keep = async (cache, file, digest) => {
    if ((await cache.match(file)) !== undefined) return;
    // What an older version has is not asked for again.
    let whole = await caches.match(file);
    if (whole === undefined || (await digestOf(whole)) !== digest) {
      whole = await fetch(file, { cache: "no-cache" });
      if (!whole.ok || whole.redirected || (await digestOf(whole)) !== digest)
        throw new Error(`${file} is another file`);
    }
    await cache.put(file, whole);
  };

  /** Where one file does not come, the others are kept for the next time. */
  const keepAll = async () => {
    const cache = await caches.open(kOwn);
    const kept = await Promise.allSettled(kFiles.map(([file, digest]) => keep(cache, file, digest)));
    const fault = kept.find(({ status }) => status === "rejected");
    if (fault !== undefined) throw fault.reason;
  };

  const openTabs = async () => {
    const tabs = await clients.matchAll({ type: "window", includeUncontrolled: true });
    return tabs.map(({ id }) => id);
  };

  const others = async () => {
    // Names without a scope are those of the first versions.
    const names = (await caches.keys()).filter(
      (name) => name !== kOwn && (name.startsWith(kOurs) || /^podwright \w+$/.test(name)),
    );
    return Promise.all(names.map(async (name) => ({ name, cache: await caches.open(name) })));
  };

  const noteReaders = async () => {
    const readers = JSON.stringify(await openTabs());
    for (const { cache } of await others())
      if ((await cache.match(kReaders)) === undefined) await cache.put(kReaders, new Response(readers));
  };

  /** An older version is of use as long as a tab is open that was opened with it. */
  const forgetUnused = async () => {
    const open = await openTabs();
    for (const { name, cache } of await others()) {
      const readers = await (await cache.match(kReaders))?.json();
      if (readers?.every((id) => !open.includes(id))) await caches.delete(name);
    }
  };

  /** Every name but that of the page is of one content alone, so what an older tab asks for is found among all that is kept. */
  const answer = async (request) => {
    const isPage = request.mode === "navigate";
    const kept = await caches.match(isPage ? "./" : request, { cacheName: kOwn });
    return kept ?? (isPage ? undefined : await caches.match(request)) ?? fetch(request);
  };

  addEventListener("install", (event) => event.waitUntil(keepAll()));
  addEventListener("activate", (event) => event.waitUntil(noteReaders().then(forgetUnused)));
  addEventListener("message", (event) => {
    if (event.data === "take over") skipWaiting();
  });
  addEventListener("fetch", (event) => {
    const { request } = event;
    if (request.method !== "GET" || new URL(request.url).origin !== location.origin) return;
    event.respondWith(answer(request));
    if (request.mode === "navigate") event.waitUntil(forgetUnused());
  });
}
