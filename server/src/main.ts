import { existsSync } from 'node:fs'
import { loadEnvFile } from 'node:process'
import { BadSetting, readSettings } from './config.ts'
import { PortUnusable } from './listen.ts'
import { start } from './start.ts'
import { StoreUnusable } from './store/unusable.ts'

// Files this process creates are readable only by their owner.
process.umask(0o077)
if (existsSync('.env')) loadEnvFile('.env')

try {
  const server = await start(readSettings(process.env))
  for (const signal of ['SIGTERM', 'SIGINT'] as const)
    process.once(signal, () => {
      void server.stop().then(() => process.exit(0))
    })
  console.log(`Ready: ${server.url}`)
} catch (error) {
  const known = error instanceof BadSetting || error instanceof StoreUnusable || error instanceof PortUnusable
  console.error(known ? error.message : error)
  process.exit(1)
}
