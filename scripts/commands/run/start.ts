import { join } from 'node:path'
import { needsDouble, startDemoPayments } from '../../demo/double.ts'
import { needsIdentity, startDemo } from '../../demo/identity.ts'
import { isTaken } from '../../lib/children.ts'
import { ensureClient } from '../../lib/client.ts'
import { getDataDir, settingsHere } from '../../lib/database.ts'
import { formatPath } from '../../lib/files.ts'
import { runCommand } from '../../lib/say.ts'
import { type ServerProcess, startServer } from '../../lib/serverProcess.ts'
import { ROOT, SetUpError } from '../../setup.mjs'

await runCommand('start', async () => {
  const settings = settingsHere()
  const { port, host } = settings
  if (port !== 0 && (await isTaken({ port, host }))) {
    throw new SetUpError(
      `PORT ${port} is used by another program: end it, or choose another: PORT=${port + 1} npm start`,
    )
  }
  await ensureClient()
  const demo = needsIdentity(settings) ? await startDemo(settings) : undefined
  let serverUrl = ''
  const payments = needsDouble(settings) ? await startDemoPayments(settings, () => serverUrl) : undefined
  const logFile = join(getDataDir(settings), 'server.log')
  const server = startServer({
    logFile,
    env: {
      ...(demo ? { FIREBASE_AUTH_EMULATOR_HOST: demo.host } : {}),
      ...(payments ? { RAZORPAY_API_URL: payments.url } : {}),
    },
  })
  let ready = false
  endTogether(server, { helpers: [payments, demo], wasReady: () => ready })
  const url = await server.url
  // The server has ended, so endTogether ends this process.
  if (url === null) return
  serverUrl = url
  if (demo) console.log('Demo: Sign In with Google offers four accounts (admin, manager, checker, guest).')
  if (payments) console.log(`Payments are a demo too, at ${payments.url}: no money moves.`)
  console.log(`The server's log is in ${formatPath(logFile, ROOT)}. Ctrl-C ends it.`)
  ready = true
  console.log(`Ready: ${url}`)
})

interface Together {
  helpers: readonly ({ close(): Promise<void> } | undefined)[]
  /** A server that ends before it is ready has printed why. */
  wasReady: () => boolean
}

/** A signal ends the server first, then its helpers. When the server ends, all end with its exit code. */
function endTogether(server: ServerProcess, { helpers, wasReady }: Together): void {
  let isStopping = false
  const onSignal = () => {
    if (isStopping) return
    isStopping = true
    void server.child.stop(15_000)
  }
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, onSignal)
  void server.child.ended.then(async ({ code, signal }) => {
    await Promise.all(helpers.map((helper) => helper?.close()))
    if (!isStopping && wasReady()) console.error(`The server ended by itself (${signal ?? `exit code ${code}`}).`)
    process.exit(isStopping ? 0 : toExitCode(code))
  })
}

/** A server that ended by itself has failed, whatever its exit code. */
function toExitCode(code: number | null): number {
  if (code === null) return 137
  return code === 0 ? 1 : code
}
