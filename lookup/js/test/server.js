// A server of files for the tests. It supports ranges, and can send faulty responses.

import { createServer } from "node:http";

/**
 * Serves files, a Map from paths to their bytes. `spoil` may change a response before it is sent: it takes `{ status, headers, body }`
 * and the request, and returns a response, or nothing to cut the connection in the middle of the body.
 */
export async function serve(files) {
  const state = { requests: [], bytes: 0, spoil: (response) => response };
  const server = createServer(async (request, response) => {
    const file = files.get(request.url);
    if (!file) return response.writeHead(404).end();
    state.requests.push(request.headers.range);
    const [first, last] = part(request.headers.range, file.length);
    const whole = {
      status: 206,
      headers: { "content-range": `bytes ${first}-${last}/${file.length}`, etag: '"one"' },
      body: file.subarray(first, last + 1),
    };
    state.bytes += whole.body.length;
    const answer = await state.spoil(whole, request);
    if (answer) return response.writeHead(answer.status, { "content-length": answer.body.length, ...answer.headers }).end(answer.body);
    response.writeHead(206, { ...whole.headers, "content-length": whole.body.length });
    response.write(whole.body.subarray(0, whole.body.length >> 1), () => response.destroy());
  });
  // A test may block the event loop for longer than idle connections are kept by default.
  server.keepAliveTimeout = 0;
  await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
  const close = () => {
    server.closeAllConnections();
    return new Promise((closed) => server.close(closed));
  };
  return Object.assign(state, { address: `http://127.0.0.1:${server.address().port}`, close });
}

/** First and last byte of a range, as RFC 9110 has it. */
function part(range, length) {
  const [, first, last] = range.match(/^bytes=(\d*)-(\d*)$/);
  if (first === "") return [Math.max(0, length - Number(last)), length - 1];
  return [Number(first), Math.min(Number(last), length - 1)];
}
