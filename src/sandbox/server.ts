import type { RequestListener } from 'node:http';
import { getRequestListener } from '@hono/node-server';
import { Hono } from 'hono';
import type { ModelOptions } from '../detection/engine/external-model.ts';
import { newestReadyDay } from '../protocol/bill-calendar.ts';
import { DEFAULT_TIME_ZONE } from '../protocol/defaults.ts';
import { ADDRESS_PREFIX } from '../protocol/operations.ts';
import { type Readings, withDefaults } from '../protocol/readings.ts';
import { SANDBOX_CREDENTIALS, SANDBOX_ROWS } from '../protocol/sandbox.ts';
import { lazily } from '../server/cache.ts';
import type { AllowedOrigins } from '../server/cors.ts';
import type { DiagnosisThread } from '../server/diagnosis/diagnosis-thread.ts';
import { httpServer, listen } from '../server/http-server.ts';
import type { Log } from '../server/log-entry.ts';
import { RequestHistory } from '../server/requests/history.ts';
import { SECRET_MARK, secretHider } from '../signing/mask-secret.ts';
import type { ReceivedRequest } from '../signing/received-request.ts';
import { replayCheck, SANDBOX_SECRETS, signatureCheck } from './authentication.ts';
import { billDigests, sandboxSchedule } from './bill-operation.ts';
import { detectionRoutes } from './detection/routes.ts';
import { DOWNLOAD_PATH, DownloadLinks, downloadRoutes } from './downloads.ts';
import { asPage, corsMiddleware, requestMiddleware, type SandboxEnv } from './exchange.ts';
import { type Fault, FaultPlan } from './faults.ts';
import { graphqlRoutes, serveUpgrades } from './graphql/routes.ts';
import { type OperationRules, operationRoutes, platformOperations } from './operation-routes.ts';

export interface SandboxOptions {
  /** Default 127.0.0.1. */
  readonly host?: string | undefined;
  /** Default 0: any free port. */
  readonly port?: number | undefined;
  /** Orders per day, default 200. */
  readonly rows?: number | undefined;
  readonly faults?: readonly Fault[] | undefined;
  /** Choices where D1 leaves a point open. */
  readonly readings?: Readings | undefined;
  /** The time zone of bill days. Default Asia/Shanghai. */
  readonly timeZone?: string | undefined;
  /** Milliseconds since 1970. Default: the system clock. */
  readonly now?: (() => number) | undefined;
  /** An external model for the detection. It replaces the embedded model, unless it fails. */
  readonly model?: ModelOptions | undefined;
  /**
   * Origins whose pages may call the services, such as `http://localhost:5173`; `*` for all, `null`
   * for pages without an origin, such as files. Default: none.
   */
  readonly allowedOrigins?: readonly string[] | undefined;
  /** Called after each answered request. */
  readonly log?: Log | undefined;
}

export interface Sandbox {
  /** The address for both base_url and open_base_url (D1 4.0), such as `http://127.0.0.1:7800`. */
  readonly url: string;
  /** Loads the detection rules now instead of at the first request. */
  preload(): Promise<void>;
  /** Closes immediately and aborts open requests. */
  close(): Promise<void>;
}

/**
 * Serves the mobility platform of D1 with published credentials, the detection service of D2, and the
 * GraphQL endpoint of D3.
 *
 * @returns The sandbox, when it accepts connections.
 * @throws {MopError} `failure` when it cannot listen on the address, `usage` for an unknown reading.
 *
 * @example
 * ```ts
 * import {
 *   type LogEntry,
 *   type ModelOptions,
 *   parseFault,
 *   type Sandbox,
 *   type SandboxOptions,
 *   type SignatureFindings,
 *   startSandbox,
 * } from 'mop-cli';
 *
 * const paths: string[] = [];
 * const model: ModelOptions | undefined = undefined;
 * const log = ({ path }: LogEntry & SignatureFindings) => paths.push(path);
 * const options: SandboxOptions = { rows: 10, faults: [parseFault('latency=5')], model, log };
 * const sandbox: Sandbox = await startSandbox(options);
 * const response = await fetch(new URL('/api/health', sandbox.url));
 * console.log(response.status, paths);
 * // 200 [ '/api/health' ]
 * await sandbox.close();
 * ```
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
  const { host = '127.0.0.1', port = 0, faults = [], now = Date.now, log } = options;
  const closing = new AbortController();
  const plan = new FaultPlan(faults);
  const services = sandboxServices(options, plan, closing.signal);
  const allowedOrigins = new Set(options.allowedOrigins);
  const app = sandboxApp(services, plan, options, allowedOrigins);
  const server = httpServer(requestListener(app, now));
  const { socketEndpoint: endpoint, history } = services;
  const report: Log = (entry) => {
    history.add(entry);
    log?.(entry);
  };
  const upgrades = { endpoint, now, faults: plan, log: report, allowedOrigins };
  const closeWebSockets = serveUpgrades(server, upgrades);

  const url = await listen(server, host, port);
  return {
    url,
    async preload() {
      (await services.detection()).preload();
    },
    async close() {
      closing.abort();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      closeWebSockets();
      await services.closeDiagnosis();
      await closed;
    },
  };
}

/** The parts of the sandbox. Those with modules of their own are loaded on first use. */
function sandboxServices(options: SandboxOptions, faults: FaultPlan, closing: AbortSignal) {
  const { rows = SANDBOX_ROWS, timeZone = DEFAULT_TIME_ZONE, now = Date.now, model } = options;
  const readings = withDefaults(options.readings);
  const schedule = sandboxSchedule(timeZone, readings);
  const links = new DownloadLinks();
  const digestOf = billDigests(rows, closing);
  const detection = lazily(async () => {
    const { DetectionService } = await import('./detection/service.ts');
    return new DetectionService({ timeZone, model });
  });
  const graphql = lazily(async () => {
    const { graphqlService } = await import('./graphql/service.ts');
    return graphqlService({ schedule, rows, closing, service: detection });
  });
  let diagnosis: DiagnosisThread | undefined;
  const thread = lazily(async () => {
    const { DiagnosisThread } = await import('../server/diagnosis/diagnosis-thread.ts');
    diagnosis = new DiagnosisThread();
    if (closing.aborted) await diagnosis.close();
    return diagnosis;
  });
  const rules: OperationRules = {
    readings,
    check: signatureCheck(readings, thread),
    isReplay: replayCheck(),
  };
  const history = new RequestHistory();
  return {
    links,
    rules,
    history,
    closeDiagnosis: () => diagnosis?.close(),
    operations: platformOperations({ schedule, faults, links, digestOf }),
    detection,
    httpEndpoint: lazily(async () => {
      const { httpEndpoint } = await import('./graphql/http-endpoint.ts');
      return httpEndpoint(await graphql());
    }),
    socketEndpoint: lazily(async () => {
      const { webSocketEndpoint } = await import('./graphql/socket-endpoint.ts');
      return webSocketEndpoint(await graphql());
    }),
    pages: lazily(async () => {
      const { pageRoutes } = await import('./pages/routes.ts');
      const requests = {
        history,
        closing,
        layers: async (request: ReceivedRequest, time: number, ended: AbortSignal) => {
          const now = Math.floor(time / 1000);
          const job = { request, readings, secrets: SANDBOX_SECRETS, now };
          return (await thread()).ask('layers', job, ended);
        },
        hide: secretHider([SANDBOX_CREDENTIALS.secret], SECRET_MARK),
      };
      return pageRoutes(requests, now, () => newestReadyDay(schedule, now()));
    }),
  };
}

function sandboxApp(
  services: ReturnType<typeof sandboxServices>,
  faults: FaultPlan,
  { rows = SANDBOX_ROWS, now = Date.now, log }: SandboxOptions,
  allowedOrigins: AllowedOrigins,
): Hono<SandboxEnv> {
  const { links, rules, operations, detection, httpEndpoint, history } = services;
  return new Hono<SandboxEnv>()
    .use(requestMiddleware(now, faults, log, history))
    .use(corsMiddleware(allowedOrigins))
    .route(ADDRESS_PREFIX.body, operationRoutes('body', operations, faults, rules))
    .route(ADDRESS_PREFIX.header, operationRoutes('header', operations, faults, rules))
    .route(DOWNLOAD_PATH, downloadRoutes(rows, links, faults))
    .route('/', detectionRoutes(detection, faults, allowedOrigins))
    .route('/', graphqlRoutes(httpEndpoint, faults, allowedOrigins))
    .use('/platform/*', asPage)
    .use('/requests/*', asPage)
    .all('*', async (c) => {
      const response = await (await services.pages()).fetch(c.req.raw, c.env);
      // Also a page that does not exist is shown to a person, not to a program.
      c.set('isPage', response.status !== 404 || isHtml(response));
      return response;
    })
    .notFound((c) => c.text('not found', 404))
    .onError((_error, c) => c.text('the sandbox failed', 500));
}

function requestListener(app: Hono<SandboxEnv>, now: () => number): RequestListener {
  const listener = getRequestListener(app.fetch, {
    // Other code of this process keeps the Request and Response of Node.
    overrideGlobalObjects: false,
    // Answers requests that cannot be parsed and never reach the app.
    errorHandler: () => new Response('bad request', { status: 400 }),
  });
  return (incoming, outgoing) => {
    // For answers that do not come from the app. The app sets its own Date, which the fault `skew` may
    // change.
    outgoing.setHeader('Date', new Date(now()).toUTCString());
    void listener(incoming, outgoing);
  };
}

function isHtml({ headers }: Response): boolean {
  return headers.get('Content-Type')?.startsWith('text/html') ?? false;
}
