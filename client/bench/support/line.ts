import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'

export interface Line {
  readonly url: string
  close(): Promise<void>
}

/** TCP sends a lost piece again after this and a round trip (ms): Linux's shortest wait. */
const AGAIN_MS = 200

/**
 * Opens a line to a server with a round trip of so many ms, on which so many pieces in a hundred are lost and sent again.
 * Chromium's own slow network neither loses anything nor slows down a worker's requests.
 */
export async function openLine(to: string, { roundTripMs, lossPercent = 0 }: LineKind): Promise<Line> {
  const { hostname, port } = new URL(to)
  const sockets = new Set<Socket>()
  const keep = (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket)).on('error', () => socket.destroy())
  }
  const relay = (from: Socket, onto: Socket, firstMs: number) => {
    let free = performance.now() + firstMs
    const later = (send: () => void, isLost: boolean) => {
      // A piece waits for the ones before it, as TCP delivers them in order.
      free = Math.max(free, performance.now() + roundTripMs / 2 + (isLost ? AGAIN_MS + roundTripMs : 0))
      setTimeout(() => onto.destroyed || send(), Math.max(0, free - performance.now()))
    }
    from.on('data', (piece) => later(() => onto.write(piece), Math.random() * 100 < lossPercent))
    from.on('end', () => later(() => onto.end(), false))
    from.on('close', () => later(() => onto.destroy(), false))
  }
  let closed = false
  const server = createServer({ allowHalfOpen: true }, (near) => {
    if (closed) return void near.destroy()
    const far = connect({ host: hostname, port: Number(port), allowHalfOpen: true })
    for (const socket of [near, far]) keep(socket.setNoDelay(true))
    // The handshake takes a round trip before the first piece.
    relay(near, far, roundTripMs * 1.5)
    relay(far, near, 0)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => {
      closed = true
      for (const socket of sockets) socket.destroy()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}

export interface LineKind {
  readonly roundTripMs: number
  readonly lossPercent?: number
}
