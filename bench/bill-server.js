/**
 * A platform for benchmarks: returns a descriptor for any bill, and serves the same prepared gzip
 * file for each download. Generating and compressing are not measured. Signatures are not checked.
 *
 * Usage: node bill-server.js FILE.gz MD5. Prints its address.
 */
import { createReadStream, statSync } from 'node:fs';
import { createServer } from 'node:http';

const [file, md5] = process.argv.slice(2);
const { size } = statSync(file);

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    response.writeHead(200, { 'Content-Type': 'application/gzip', 'Content-Length': size });
    createReadStream(file, { highWaterMark: 1024 * 1024 }).pipe(response);
    return;
  }
  request.resume().on('end', () => {
    const data = {
      hash_type: 'MD5',
      hash_value: md5,
      download_url: `http://${request.headers.host}/bill.csv.gz`,
      authorization: 'bench',
    };
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify({ code: 0, message: 'ok', data }));
  });
});
server.listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${server.address().port}`);
});
process.on('SIGTERM', () => process.exit(0));
