import { onTestFinished, test } from 'vitest'
import { fuzz, neverAccepted } from './fuzz.ts'
import { appendFileSync } from 'node:fs'
test.each([20_250_924, 20_250_925, 20_250_926, 20_250_927, 20_250_928, 20_250_929, 20_250_930])('%i', async (seed) => {
  const report = await fuzz({ seed, requests: 4_800, whenOver: onTestFinished })
  appendFileSync('/tmp/seeds.out', `${seed} ${[...neverAccepted(report)].join(' ')}\n`)
}, 300_000)
