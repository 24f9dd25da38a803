import { createServer } from 'node:net'

/** True if another program listens there or the address cannot be used. */
export function isTaken({ port, host }: { port: number; host: string }): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = createServer()
    probe.once('error', () => resolve(true))
    probe.listen(port, host, () => probe.close(() => resolve(false)))
  })
}

/** A currently free port. */
export function freePort(host = '127.0.0.1'): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.once('error', reject)
    probe.listen(0, host, () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

/** Resolves to true once the URL answers 2xx, or to false when `until` returns true. */
export async function answers(url: string, until: () => boolean): Promise<boolean> {
  while (!until()) {
    const response = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined)
    await response?.arrayBuffer().catch(() => undefined)
    if (response?.ok) return true
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return false
}
