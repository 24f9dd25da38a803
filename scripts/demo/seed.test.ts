import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openStore } from '../../server/src/store/engine/open.ts'
import { closeEvent, findEvent } from '../../server/src/store/events.ts'
import { seedDemo } from './seed.ts'

const NOW = new Date('2025-08-08T12:00:00Z')

test('a demo whose event was closed starts again without another one', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'garba-demo-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  await seedDemo({ dataDir, now: NOW })
  const store = openStore(join(dataDir, 'garba.db'))
  onTestFinished(store.close)
  const seeded = await store.read(findEvent)
  await store.write((tx) => closeEvent(tx, seeded?.id ?? '', { closedAt: NOW, closedRevision: 1 }))
  await seedDemo({ dataDir, now: NOW })
  expect(seeded).toMatchObject({ closedAt: null })
  expect(await store.read(findEvent)).toBeUndefined()
})
