import { copyFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { spoil } from './deskMoney.ts'
import type { TestServer } from './server.ts'

const olderOf = ({ dataDir }: TestServer): string => join(dataDir, 'older.db')

/** Keeps a copy of the server's data as they are now. */
export function keepCopy(server: TestServer): void {
  rmSync(olderOf(server), { force: true })
  spoil(server, 'vacuum into ?', olderOf(server))
}

const SET = 'insert into meta (key, value) values (?, ?) on conflict (key) do update set value = excluded.value'

/** The server comes back with the copy, and a new epoch. */
export async function goBack(server: TestServer): Promise<void> {
  await server.stop()
  const database = join(server.dataDir, 'garba.db')
  for (const end of ['-wal', '-shm']) rmSync(`${database}${end}`, { force: true })
  copyFileSync(olderOf(server), database)
  server.change(SET, 'epoch', String(Date.now()))
  await server.start()
}
