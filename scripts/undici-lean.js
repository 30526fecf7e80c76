/**
 * Stands in for undici in the bundle: the HTTP/1.1 client and the proxy agent alone. Loading all of
 * undici, with fetch, WebSocket, caches and mocks, takes longer than everything else that a command does.
 */
import request from 'undici/lib/api/api-request.js';
import Agent from 'undici/lib/dispatcher/agent.js';
import Dispatcher from 'undici/lib/dispatcher/dispatcher.js';
import EnvHttpProxyAgent from 'undici/lib/dispatcher/env-http-proxy-agent.js';
import Pool from 'undici/lib/dispatcher/pool.js';

Dispatcher.prototype.request = request;

export { Agent, EnvHttpProxyAgent, Pool };
