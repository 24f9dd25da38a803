import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export interface Gateway {
  readonly url: string
  /** Adds a line to each worker script from now on: what a browser sees when a new version was deployed. */
  deployNextVersion(): void
  close(): Promise<void>
}

/**
 * Stands between the browser and a server. Playwright's routes do not see a worker's own script, so a new version of it is
 * made here.
 */
export async function openGateway(serverUrl: string): Promise<Gateway> {
  const { hostname, port } = new URL(serverUrl)
  let version = 1

  const relay = (question: IncomingMessage, answer: ServerResponse) => {
    const headers = { ...question.headers, 'accept-encoding': 'identity' }
    const onward = request({ hostname, port, path: question.url, method: question.method, headers }, (back) => {
      const isWorker = /^\/sw-\w+\.js/.test(question.url ?? '')
      const { 'content-length': length, etag, ...rest } = back.headers
      answer.writeHead(back.statusCode ?? 502, isWorker ? rest : back.headers)
      if (!isWorker) return void back.pipe(answer)
      back.on('data', (piece: Buffer) => answer.write(piece))
      back.on('end', () => answer.end(`\n// version ${version}\n`))
    })
    onward.on('error', () => answer.writeHead(502).end())
    question.pipe(onward)
  }

  const server = createServer(relay)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    deployNextVersion: () => {
      version += 1
    },
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
