/**
 * A service for benchmarks: answers any request with the same JSON, after its whole body has
 * arrived. Signatures are not checked. `GET /connections` returns the number of accepted
 * connections.
 *
 * Usage: node answer-server.js JSON. Prints its address.
 */
import { createServer } from 'node:http';

const [answer] = process.argv.slice(2);
let connections = 0;

const server = createServer((request, response) => {
  request.resume().on('end', () => {
    const body = request.url === '/connections' ? String(connections) : answer;
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
