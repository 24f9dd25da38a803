import { createHmac } from 'node:crypto'
import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { EPOCH_HEADER } from '@garba/shared/constants'
import { spoil } from './deskMoney.ts'
import type { TestServer } from './server.ts'

const olderOf = ({ dataDir }: TestServer): string => join(dataDir, 'older.db')

/** Keeps a copy of the server's data as they are now. */
export const keepCopy = (server: TestServer): void => spoil(server, 'vacuum into ?', olderOf(server))

/** The server comes back with the copy, and a new epoch. */
export async function goBack(server: TestServer): Promise<void> {
  await server.stop()
  const database = join(server.dataDir, 'garba.db')
  for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
  copyFileSync(olderOf(server), database)
  server.change(
    "insert into meta (key, value) values ('epoch', ?) on conflict (key) do update set value = excluded.value",
    String(Date.now()),
  )
  await server.start()
}

/** The server learns that another has taken over, and takes no changes from now on. */
export async function replace(server: TestServer): Promise<void> {
  const [secret] = server.rows<{ value: string }>("select value from meta where key = 'epochSecret'")
  const number = Date.now()
  const proof = createHmac('sha256', secret?.value ?? '')
    .update(`${number} `)
    .digest()
    .subarray(0, 16)
  const headers = { [EPOCH_HEADER]: `${number}.${proof.toString('base64url')}` }
  await fetch(`${server.url}/api/event`, { headers })
}
