import { type AddressInfo, connect, createServer, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'

/** What PgBouncer 1.18 lets a client set at its start. */
const STARTUP = new Set([
  ...['user', 'database', 'application_name', 'client_encoding', 'datestyle', 'timezone'],
  ...['standard_conforming_strings', 'replication'],
])
const SSL_REQUEST = 80_877_103

/** Takes whole messages of PostgreSQL's protocol from a stream; the first of a client has no type. */
function messagesOf(startup: boolean, take: (message: Buffer, isStartup: boolean) => void) {
  let pending = Buffer.alloc(0)
  let first = startup
  return (data: Buffer) => {
    pending = Buffer.concat([pending, data])
    for (;;) {
      const at = first ? 0 : 1
      if (pending.length < at + 4) return
      const length = at + pending.readUInt32BE(at)
      if (pending.length < length) return
      const message = pending.subarray(0, length)
      pending = pending.subarray(length)
      const isStartup = first
      if (first && message.readUInt32BE(4) !== SSL_REQUEST) first = false
      take(message, isStartup)
    }
  }
}

const errorMessage = (text: string): Buffer => {
  const fields = Buffer.from(`SFATAL\0C08P01\0M${text}\0\0`)
  const head = Buffer.from('E\0\0\0\0')
  head.writeUInt32BE(fields.length + 4, 1)
  return Buffer.concat([head, fields])
}

/**
 * Stands for PgBouncer in front of a PostgreSQL server: it refuses settings at the start, and in transaction mode all
 * clients share one connection, one transaction at a time. Gone when the test ends. Resolves with its address.
 */
export async function startPooler(url: string, mode: 'session' | 'transaction'): Promise<string> {
  const { hostname, port } = new URL(url)
  const sockets = new Set<Socket>()
  const kept = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    return socket
  }
  const upstream = () => kept(connect({ host: hostname, port: Number(port) }))
  const shared: { server?: Socket; hello: Buffer[]; ready: boolean; turn: Socket | null; waiting: Turn[] } = {
    ...{ hello: [], ready: false, turn: null, waiting: [] },
  }
  interface Turn {
    client: Socket
    message: Buffer
  }
  const pass = () => {
    const next = shared.waiting.findIndex(({ client }) => shared.turn === null || client === shared.turn)
    const [turn] = shared.ready && next >= 0 ? shared.waiting.splice(next, 1) : []
    if (!turn) return
    shared.turn = turn.client
    shared.server?.write(turn.message)
    pass()
  }
  const newcomers: Socket[] = []
  const greet = () => {
    for (const client of newcomers.splice(0)) for (const message of shared.hello) client.write(message)
  }
  const share = (client: Socket, startup: Buffer) => {
    newcomers.push(client)
    if (shared.ready) greet()
    if (shared.server) return
    shared.server = upstream()
    shared.server.write(startup)
    shared.server.on(
      'data',
      messagesOf(false, (message) => {
        const isReady = message[0] === 0x5a
        if (shared.ready) shared.turn?.write(message)
        else shared.hello.push(message)
        if (!isReady) return
        shared.ready = true
        greet()
        // Idle, so that the next client has its turn.
        if (message[5] === 0x49) shared.turn = null
        pass()
      }),
    )
  }
  const server = createServer((client) => {
    kept(client)
    let own: Socket | undefined
    client.on(
      'data',
      messagesOf(true, (message, isStartup) => {
        if (!isStartup) {
          if (own) own.write(message)
          // A goodbye ends the client alone.
          else if (message[0] !== 0x58) shared.waiting.push({ client, message })
          return pass()
        }
        const names = message
          .subarray(8)
          .toString()
          .split('\0')
          .filter((_, n) => n % 2 === 0)
        const odd = names.find((name) => name !== '' && !STARTUP.has(name.toLowerCase()))
        if (odd !== undefined) return client.end(errorMessage(`unsupported startup parameter: ${odd}`))
        if (mode === 'transaction') return share(client, message)
        own = upstream()
        own.write(message)
        own.pipe(client)
        client.on('close', () => own?.destroy())
      }),
    )
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = new URL(url)
  address.port = String((server.address() as AddressInfo).port)
  return address.href
}
