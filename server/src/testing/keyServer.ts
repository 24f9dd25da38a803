import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { exportJWK } from 'jose'
import { onTestFinished } from 'vitest'
import { googleKeys } from './tokens.ts'

/** Publishes the test key like Google until it is stopped or the test ends. `calls` counts the fetches. */
export async function startKeyServer() {
  const jwk = { ...(await exportJWK(googleKeys.publicKey)), kid: 'test', alg: 'RS256' }
  let calls = 0
  const server = createServer((_, answer) => {
    calls += 1
    answer.end(JSON.stringify({ keys: [jwk] }))
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    if (!server.listening) return
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  }
  onTestFinished(stop)
  return { address: `http://127.0.0.1:${port}/keys`, calls: () => calls, stop }
}
