// Keeps every file of one version of the site. The build writes the list of files and the version.
const kVersion = "%version%";
const kFiles = ["%files%"];
const kCache = `podwright ${kVersion}`;

self.addEventListener("install", (event) => {
  const requests = kFiles.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(kCache).then((cache) => cache.addAll(requests)));
});

self.addEventListener("activate", (event) => {
  const isOld = (name) => name.startsWith("podwright ") && name !== kCache;
  event.waitUntil(caches.keys().then((names) => Promise.all(names.filter(isOld).map((name) => caches.delete(name)))));
});

self.addEventListener("message", (event) => {
  if (event.data === "take over") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || new URL(request.url).origin !== self.location.origin) return;
  const wanted = request.mode === "navigate" ? "./" : request;
  event.respondWith(
    caches
      .open(kCache)
      .then((cache) => cache.match(wanted))
      .then((kept) => kept ?? fetch(request)),
  );
});
