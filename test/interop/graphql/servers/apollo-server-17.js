import './graphql-17.js';

await import('./apollo-server.js');
