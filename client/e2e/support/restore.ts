import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EPOCH_HEADER } from '@garba/shared/constants'
import { spoil } from './deskMoney.ts'
import { TestServer } from './server.ts'

const olderOf = ({ dataDir }: TestServer): string => join(dataDir, 'older.db')

/** Keeps a copy of the server's data as they are now. */
export function keepCopy(server: TestServer): void {
  rmSync(olderOf(server), { force: true })
  spoil(server, 'vacuum into ?', olderOf(server))
}

/** A server starts with the copy of its own data or another's, and a new epoch. */
async function startWithCopy(server: TestServer, of = server): Promise<void> {
  await server.stop()
  const database = join(server.dataDir, 'garba.db')
  for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
  copyFileSync(olderOf(of), database)
  server.change(
    "insert into meta (key, value) values ('epoch', ?) on conflict (key) do update set value = excluded.value",
    String(Date.now()),
  )
  await server.start()
}

/** The server comes back with the copy, and a new epoch. */
export const goBack = (server: TestServer): Promise<void> => startWithCopy(server)

/** The server learns that another has taken over, and takes no changes from now on. */
export async function replace(server: TestServer): Promise<void> {
  const other = await TestServer.create()
  try {
    keepCopy(server)
    await startWithCopy(other, server)
    const { headers } = await fetch(`${other.url}/api/event`)
    await fetch(`${server.url}/api/event`, { headers: { [EPOCH_HEADER]: headers.get(EPOCH_HEADER) ?? '' } })
  } finally {
    await other.dispose()
  }
}
