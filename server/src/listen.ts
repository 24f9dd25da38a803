import type { Server } from 'node:http'
import { createAdaptorServer } from '@hono/node-server'

type App = Parameters<typeof createAdaptorServer>[0]

/** The server cannot listen on the address. The message is one sentence that names the setting. */
export class PortUnusable extends Error {
  override name = 'PortUnusable'

  static from(error: NodeJS.ErrnoException, { host, port }: { host: string; port: number }): PortUnusable {
    const sentences: Record<string, string> = {
      EADDRINUSE: `PORT ${port} is used by another program: end it, or set PORT to a free one.`,
      EACCES: `PORT ${port} may not be used by this user: set PORT to one above 1023.`,
      EADDRNOTAVAIL: `HOST ${host} is not an address of this machine: set HOST to 127.0.0.1 or to one it has.`,
      ENOTFOUND: `HOST ${host} is unknown: set HOST to 127.0.0.1 or to an address of this machine.`,
    }
    const sentence = sentences[error.code ?? ''] ?? `HOST ${host} PORT ${port} cannot be used: ${error.message}.`
    return new PortUnusable(sentence, { cause: error })
  }
}

export interface ListeningServer {
  server: Server
  /** The actual port, which differs from the requested one when that was 0. */
  port: number
}

/** Milliseconds. Phones on poor connections send their headers sooner, and http/bodies gives up on a body sooner. */
const PATIENCE = { headersTimeout: 15_000, requestTimeout: 60_000, connectionsCheckingInterval: 5_000 }

/** Starts listening on an address. Rejects with PortUnusable. */
export function startListening(
  app: Pick<App, 'fetch'>,
  { host, port }: { host: string; port: number },
  patience = PATIENCE,
): Promise<ListeningServer> {
  const server = createAdaptorServer({ fetch: app.fetch, serverOptions: patience }) as Server
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(PortUnusable.from(error, { host, port })))
    server.listen(port, host, () => {
      const address = server.address()
      resolve({ server, port: typeof address === 'object' && address ? address.port : port })
    })
  })
}

export function closeServer(server: Server, patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const impatient = setTimeout(() => server.closeAllConnections(), patienceMs)
    // A keep-alive connection turns idle only after its last response is sent.
    const tidy = setInterval(() => server.closeIdleConnections(), 50)
    server.close(() => {
      clearTimeout(impatient)
      clearInterval(tidy)
      resolve()
    })
  })
}
