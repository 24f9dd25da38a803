import { expect, onTestFinished, test } from 'vitest'
import { calledOffStorm } from './calledOffStorm.ts'

test('an event is called off while the provider fails and the server is killed, and every rupee goes back once', async () => {
  const { findings, tickets, lowBalances } = await calledOffStorm({
    ...{ seed: 7, tickets: 120, kills: 1, whenOver: onTestFinished },
  })
  expect(findings).toEqual([])
  expect([tickets, lowBalances]).toEqual([120, 2])
}, 300_000)
