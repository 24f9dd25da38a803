import { connect, createServer, type Socket } from 'node:net'

/** A network between the servers and their PostgreSQL that is slow, or breaks when told to. */
export interface Wire {
  /** The database's address through it. */
  url: string
  /** Breaks every connection. */
  cut: () => void
  /** While it is silent, nothing arrives at either side. */
  silence: (silent: boolean) => void
  /**
   * Breaks the next connection that sends this text: `before` PostgreSQL has it, or `after`, so that only the answer is lost.
   * Resolves when that has happened.
   */
  cutAt: (text: string, when: 'before' | 'after') => Promise<void>
  close: () => Promise<void>
}

/** Answers arrive `delayMs` late, as over a network with that round trip. */
export async function startWire(url: string, { delayMs = 0 } = {}): Promise<Wire> {
  const to = new URL(url)
  const pairs = new Set<readonly [Socket, Socket]>()
  let silent = false
  let held: (() => void)[] = []
  let cutting: { text: string; when: 'before' | 'after'; done: () => void } | undefined
  const pass = (send: () => void) => (silent ? void held.push(send) : send())

  const server = createServer((near) => {
    const far = connect(Number(to.port), to.hostname)
    const pair = [near, far] as const
    pairs.add(pair)
    let deaf = false
    let coming: { data: Buffer; at: number }[] = []
    // One timer and one write for all that is due: one for each would keep a core busy.
    const deliver = () => {
      const now = performance.now()
      const due = coming.filter(({ at }) => at <= now)
      coming = coming.slice(due.length)
      if (due.length > 0) pass(() => void near.write(Buffer.concat(due.map(({ data }) => data))))
      const [next] = coming
      if (next) setTimeout(deliver, next.at - now)
    }
    const broken = () => {
      pairs.delete(pair)
      near.destroy()
      far.destroy()
    }
    for (const socket of pair) {
      socket.setNoDelay(true)
      socket.on('error', () => undefined)
      socket.on('close', broken)
    }
    near.on('data', (data) => {
      const now = cutting?.text !== undefined && data.includes(cutting.text) ? cutting : undefined
      if (now) {
        cutting = undefined
        deaf = true
        if (now.when === 'before') broken()
        // The first answer is on its way: PostgreSQL has done what it was sent.
        else far.once('data', () => setTimeout(broken, 50))
        far.once('close', now.done)
        if (now.when === 'before') return
      }
      pass(() => far.write(data))
    })
    far.on('data', (data) => {
      if (deaf) return
      if (delayMs === 0) {
        pass(() => void near.write(data))
        return
      }
      coming.push({ data, at: performance.now() + delayMs })
      if (coming.length === 1) setTimeout(deliver, delayMs)
    })
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const address = server.address()
  if (typeof address !== 'object' || address === null) throw new Error('no port')
  const through = new URL(url)
  through.port = String(address.port)
  const cut = () => {
    for (const pair of pairs) for (const socket of pair) socket.destroy()
  }
  return {
    url: through.href,
    cut,
    silence: (next) => {
      silent = next
      const now = held
      held = []
      if (!silent) for (const send of now) send()
    },
    cutAt: (text, when) =>
      new Promise((done) => {
        cutting = { text, when, done }
      }),
    close: async () => {
      cut()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}
