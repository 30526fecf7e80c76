import './node-22.js';
import { createServer } from 'node:http';
import { PGlite } from '@electric-sql/pglite';
import { PGLiteSocketServer } from '@electric-sql/pglite-socket';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';
import { listen } from './listen.js';

// `overrides` of package.json replaces ruru, a web page of 200 MB, with an empty package.

/** PostgreSQL as WebAssembly, in this process. */
const db = await PGlite.create();
await db.exec(`
  create table book (id bigint primary key, title text not null, price numeric not null);
  insert into book values (1, 'One', 1.10), (2, 'Two', 20.00), (9007199254740993, 'Three', 1e30);
`);
const socket = new PGLiteSocketServer({ db, port: 0, maxConnections: 10 });
await new Promise((resolve) => {
  socket.addEventListener('listening', resolve, { once: true });
  socket.start();
});

const service = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [
    makePgService({
      connectionString: `postgres://postgres@${socket.getServerConn()}/postgres`,
      schemas: ['public'],
    }),
  ],
  grafserv: { watch: false },
}).createServ(grafserv);
const server = createServer();
await service.addTo(server);
listen(server);
