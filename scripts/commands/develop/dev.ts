import { join } from 'node:path'
import { needsDouble, startDemoPayments } from '../../demo/double.ts'
import { needsIdentity, startDemo } from '../../demo/identity.ts'
import { type Child, freePort, isTaken, startNode, waitForAnswer } from '../../lib/children.ts'
import { getDataDir, settingsHere } from '../../lib/database.ts'
import { runCommand } from '../../lib/say.ts'
import { startServer } from '../../lib/serverProcess.ts'
import { ROOT, SetUpError } from '../../setup.mjs'

/** Runs Vite at PORT with hot reload. It proxies the API to the server, which restarts when its sources change. */
await runCommand('dev', async () => {
  const settings = settingsHere()
  const port = settings.port || (await freePort())
  const url = `http://localhost:${port}`
  if (await isTaken({ port, host: '127.0.0.1' })) {
    throw new SetUpError(
      `PORT ${port} is used by another program: end it, or choose another: PORT=${port + 1} npm run dev`,
    )
  }
  const demo = needsIdentity(settings) ? await startDemo(settings) : undefined
  const apiPort = await freePort()
  const apiUrl = `http://127.0.0.1:${apiPort}`
  const payments = needsDouble(settings) ? await startDemoPayments(settings, () => apiUrl) : undefined
  const server = startServer({
    logFile: join(getDataDir(settings), 'server.log'),
    nodeOptions: ['--watch', '--watch-preserve-output'],
    env: {
      PORT: String(apiPort),
      HOST: '127.0.0.1',
      PUBLIC_URL: process.env.PUBLIC_URL || url,
      ...(demo ? { FIREBASE_AUTH_EMULATOR_HOST: demo.host } : {}),
      ...(payments ? { RAZORPAY_API_URL: payments.url } : {}),
    },
  })
  const vite = startVite({ port, version: settings.version, server: apiUrl })
  endTogether([server.child, vite], () => Promise.all([payments?.close(), demo?.close()]))
  await server.url
  if (await waitForAnswer(url, () => vite.ending() !== undefined)) console.log(`Ready: ${url}`)
})

function startVite({ port, version, server }: { port: number; version: string; server: string }): Child {
  const vite = join(ROOT, 'node_modules', 'vite', 'bin', 'vite.js')
  return startNode({
    args: [vite, '--port', String(port), '--strictPort', '--clearScreen', 'false'],
    cwd: join(ROOT, 'client'),
    env: { GARBA_SERVER: server, GARBA_VERSION: version },
    onLine: (line) => console.log(line),
  })
}

function endTogether(children: readonly Child[], last: () => Promise<unknown>): void {
  let code = 0
  let ending = false
  const end = () => {
    if (ending) return
    ending = true
    void Promise.all(children.map((child) => child.stop()))
      .then(last)
      .then(() => process.exit(code))
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end)
  for (const child of children) {
    void child.ended.then(() => {
      if (!ending) code = 1
      end()
    })
  }
}
