import { expect, onTestFinished, test } from 'vitest'
import { typesStorm } from './typesStorm.ts'

test('buyers of all types at once, with codes and phases that end, and a killed server: nothing gives more than it has', async () => {
  const { findings, placed, paid, refused, kills } = await typesStorm({ seed: 5, buyers: 96, whenOver: onTestFinished })
  expect(findings).toEqual([])
  expect(placed).toBeGreaterThan(30)
  expect(paid).toBeGreaterThan(10)
  expect(refused).toBeGreaterThan(0)
  expect(kills).toBe(2)
}, 180_000)
