import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { holdFolder } from '../../server/src/store/engine/folder.ts'
import { openStore } from '../../server/src/store/engine/open.ts'
import { findEvent, markEventClosed } from '../../server/src/store/events.ts'
import { seedDemo } from './seed.ts'

const NOW = new Date('2025-08-08T12:00:00Z')

test('a demo whose event was closed starts again without another one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'garba-demo-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  await seedDemo({ dataDir, now: NOW })
  const store = openStore(join(dataDir, 'garba.db'))
  onTestFinished(store.close)
  const seeded = await store.read(findEvent)
  await store.write((tx) => markEventClosed(tx, seeded?.id ?? '', { closedAt: NOW, closedRevision: 1 }))
  await seedDemo({ dataDir, now: NOW })
  expect(seeded).toMatchObject({ closedAt: null })
  expect(await store.read(findEvent)).toBeUndefined()
})

test('the tables of a running server of an earlier version are left alone', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'garba-demo-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  await seedDemo({ dataDir, now: NOW })
  const file = join(dataDir, 'garba.db')
  const { sqlite, close } = openStore(file)
  onTestFinished(close)
  sqlite.exec('update __drizzle_migrations set created_at = created_at - 1')
  const server = holdFolder(file)
  onTestFinished(server.release)
  await expect(seedDemo({ dataDir, now: NOW })).rejects.toThrow(/^A server runs on the folder /)
})
