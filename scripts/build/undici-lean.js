/**
 * Replaces undici's index in the bundle: the HTTP/1.1 client and the proxy agent, without fetch,
 * WebSocket, caches and mocks.
 */
import connect from 'undici/lib/api/api-connect.js';
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import Pool from 'undici/lib/dispatcher/pool.js';
import ProxyAgent from 'undici/lib/dispatcher/proxy-agent.js';

Dispatcher.prototype.request = request;
// The proxy agent opens tunnels with `connect`.
Dispatcher.prototype.connect = connect;

export { Agent, Pool, ProxyAgent };
