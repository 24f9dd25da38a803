import { expect, onTestFinished, test } from 'vitest'
import { dice } from '../dice.ts'
import { canRecord, Disk } from './disk.ts'
import { powerStorm } from './powerStorm.ts'

test('of what was written since the last sync, a power cut leaves any part, and all of what was synced', () => {
  const write = (text: string, offset: number) => ({
    type: 'write' as const,
    file: 'a',
    at: 0,
    bytes: Buffer.from(text),
    offset,
  })
  const disk = new Disk(new Map([['a', Buffer.from('....')]]))
  disk.take(write('x', 0))
  disk.take({ type: 'sync', file: 'a', at: 0 })
  disk.take(write('y', 1))
  disk.take(write('z', 2))
  const random = dice(1)
  const left = new Set(Array.from({ length: 60 }, () => disk.afterCut(random).get('a')?.toString()))
  expect([...left].toSorted()).toEqual(['x...', 'x.z.', 'xy..', 'xyz.'])
})

if (canRecord())
  test('a database opens after a power cut at any moment, and holds all that was answered', async () => {
    const { findings, moments, answered } = await powerStorm({
      seed: 5,
      moments: 8,
      sales: 12,
      whenOver: onTestFinished,
    })
    expect(findings).toEqual([])
    expect([moments, answered]).toEqual([8, 60])
  }, 120_000)
