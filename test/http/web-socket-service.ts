import {
  answeringSocket,
  COMPLETE,
  next,
  type SocketServer,
  serveSockets,
} from '../graphql/support.ts';
import { certificate } from './support.ts';

/** The result of every operation at {@link serveA}. */
export const A = '{"data":{"a":1}}';

/** A server that executes every operation. */
export function serveA(name?: 'good' | 'expired'): Promise<SocketServer> {
  return serveSockets(
    answeringSocket(next(A), COMPLETE),
    name ? { certificate: certificate(name) } : undefined,
  );
}
