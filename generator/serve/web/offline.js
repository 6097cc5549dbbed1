// Lets the page work without a network after it was loaded once, where browsers allow that.

/** Starts the service worker, and names the files that it has not seen: those that were requested before it controlled the page. */
export async function workOffline() {
  const { serviceWorker } = navigator;
  if (!serviceWorker || !(await serviceWorker.register(new URL("sw.js", document.baseURI)))) return;
  const [{ active }, here] = [await serviceWorker.ready, new URL("./", location.href).href];
  // Also calls for files that are still being loaded when they are complete.
  const observer = new PerformanceObserver((files) => {
    const unseen = files.getEntries().filter(({ name, workerStart }) => workerStart === 0 && name.startsWith(here));
    active.postMessage(unseen.map(({ name }) => name.split("#")[0]));
  });
  for (const type of ["navigation", "resource"]) observer.observe({ type, buffered: true });
}
