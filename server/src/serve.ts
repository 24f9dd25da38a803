import { BadSetting, type Settings } from './config.ts'
import { PortUnusable } from './listen.ts'
import { oddSettings } from './settings/oddSettings.ts'
import { start } from './start.ts'
import { FolderInUse } from './store/engine/folder.ts'
import { StoreUnusable } from './store/engine/unusable.ts'
import { asTyped } from './version.ts'

/**
 * Runs the server as a process: reports when it is ready and stops on SIGTERM. Exits with 1 and the reason if it cannot
 * start.
 */
export async function serve(settings: () => Settings): Promise<void> {
  // Files this process creates are readable only by their owner.
  process.umask(0o077)
  try {
    for (const sentence of oddSettings()) console.error(sentence)
    const server = await start(settings())
    for (const signal of ['SIGTERM', 'SIGINT'] as const)
      process.once(signal, () => {
        void server.stop().then(() => process.exit(0))
      })
    console.log(`Ready: ${server.url}`)
  } catch (error) {
    const known =
      error instanceof BadSetting ||
      error instanceof StoreUnusable ||
      error instanceof PortUnusable ||
      error instanceof FolderInUse
    console.error(known ? asTyped(error.message) : error)
    process.exit(1)
  }
}
