import { openApp } from './app.ts'
import type { Settings } from './config.ts'
import { closeServer, listen } from './listen.ts'
import { type Log, makeLog } from './log.ts'
import { openDatabase } from './store/openDatabase.ts'

const STOP_PATIENCE_MS = 10_000

export interface Running {
  url: string
  port: number
  /** Finishes what is under way, ends live views, moves the write-ahead log into the database and closes it. */
  stop: () => Promise<void>
}

/** Store, app and listener, in that order. Rejects with StoreUnusable or PortUnusable. */
export async function start(settings: Settings, log: Log = makeLog(settings)): Promise<Running> {
  const store = await openDatabase(settings)
  const stopping = new AbortController()
  let { port } = settings
  const publicUrl = () => settings.publicUrl ?? `http://localhost:${port}`
  try {
    const app = await openApp({ store, settings, publicUrl, log, stopping: stopping.signal })
    const listening = await listen(app, settings)
    const { server } = listening
    // Another than asked for when that was 0.
    port = listening.port
    log.info({ port, demo: settings.demo }, 'listening')
    return {
      port,
      url: `http://localhost:${port}`,
      stop: async () => {
        log.info({}, 'stopping')
        stopping.abort()
        await closeServer(server, STOP_PATIENCE_MS)
        await store.close()
        log.info({}, 'stopped')
      },
    }
  } catch (error) {
    await store.close()
    throw error
  }
}
