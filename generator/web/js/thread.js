// The worker in a thread of Node, whose messages it receives and sends as a page's worker does.

import { parentPort } from "node:worker_threads";

globalThis.postMessage = (message, transferred) => parentPort.postMessage(message, transferred);
globalThis.addEventListener = (type, listener) => parentPort.on(type, (data) => listener({ data }));
await import("./worker.js");
