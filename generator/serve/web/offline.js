// Lets the page work without a network after it was loaded once, where browsers allow that.

/** Starts the service worker, and names the files that were loaded before. */
export async function workOffline() {
  const { serviceWorker } = navigator;
  // The worker has seen the files of a page that it controls.
  const isControlled = Boolean(serviceWorker?.controller);
  if (!serviceWorker || !(await serviceWorker.register(new URL("sw.js", document.baseURI))) || isControlled) return;
  const loaded = performance.getEntriesByType("resource").map(({ name }) => name.split("#")[0]);
  const { active } = await serviceWorker.ready;
  active.postMessage([...new Set([location.href.split("#")[0], ...loaded])].filter((address) => address.startsWith(new URL("./", location.href).href)));
}
