import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { withLock } from './lock.ts'

test('the second caller is told to wait, and starts once the first has ended, even if it failed', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'garba-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const path = join(folder, 'deep', 'build.lock')
  const seen: string[] = []
  const waits = Promise.withResolvers<void>()
  const first = withLock({
    path,
    onWait: () => seen.push('first waits'),
    work: async () => {
      await waits.promise
      seen.push('first ends')
      throw new Error('not built')
    },
  })
  const second = withLock({
    path,
    onWait: () => {
      seen.push('second waits')
      waits.resolve()
    },
    work: async () => seen.push('second'),
  })
  await expect(first).rejects.toThrow('not built')
  await second
  expect(seen).toEqual(['second waits', 'first ends', 'second'])
})
