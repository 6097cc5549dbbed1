// Keeps the files that were loaded, so that the page works without a network. Files always come from the network while there is one: list,
// description and table of a game belong together.

const KEPT = "morpion";

addEventListener("install", () => skipWaiting());
addEventListener("activate", (event) => event.waitUntil(clients.claim()));

// The page names the files that were loaded before this worker was there.
addEventListener("message", (event) => event.waitUntil(caches.open(KEPT).then((kept) => Promise.allSettled(event.data.map((address) => kept.add(address))))));

addEventListener("fetch", (event) => {
  const { request } = event;
  // Parts of large tables are not kept.
  if (request.method === "GET" && !request.headers.has("range")) event.respondWith(answer(event, request));
});

async function answer(event, request) {
  const kept = await caches.open(KEPT);
  try {
    const response = await fetch(request);
    if (response.status === 200) event.waitUntil(kept.put(request, response.clone()).catch(() => {}));
    return response;
  } catch (error) {
    const found = await kept.match(request);
    if (found) return found;
    throw error;
  }
}
