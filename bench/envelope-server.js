/**
 * A platform for measuring: answers any request with a small envelope, once its body has arrived.
 * Signatures are not checked. `GET /connections` returns how many connections it has accepted.
 *
 * Usage: node envelope-server.js. Prints its address.
 */
import { createServer } from 'node:http';

const ENVELOPE = JSON.stringify({ code: 0, message: 'ok', data: { estimate_price: 2350 } });
let connections = 0;

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const body = request.url === '/connections' ? String(connections) : ENVELOPE;
    response.writeHead(200, {
      'Content-Type': 'application/json',
      'Content-Length': Buffer.byteLength(body),
    });
    response.end(body);
  });
});
server.on('connection', () => connections++);
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
process.on('SIGTERM', () => process.exit(0));
