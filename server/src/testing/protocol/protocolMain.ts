import fc from 'fast-check'
import { gateModel } from './gateModel.ts'
import { gateSteps } from './gateSteps.ts'
import { moneyModel, moneySteps } from './moneyModel.ts'
import { signHere } from './quick.ts'

/** One model in a process of its own, because the gate's takes the clock and the network of its process. */

const [part = '', seed = '', sequences = '', minutes = ''] = process.argv.slice(2)
const undos: (() => Promise<void>)[] = []
const whenOver = (undo: () => Promise<void>) => void undos.push(undo)

interface Model<S> {
  run: (steps: readonly S[]) => Promise<void>
  counts: Record<string, number>
}

async function storm<S>(steps: fc.Arbitrary<S[]>, { run, counts }: Model<S>): Promise<void> {
  const property = fc.asyncProperty(steps, async (sequence) => {
    await run(sequence)
    process.send?.({ progress: 1 })
  })
  const { failed, counterexample, counterexamplePath, errorInstance } = await fc.check(property, {
    seed: Number(seed),
    numRuns: Number(sequences),
    interruptAfterTimeLimit: Number(minutes) * 60_000,
  })
  const finding = failed
    ? `${part} with seed ${seed}: ${errorInstance instanceof Error ? errorInstance.message : errorInstance}\n` +
      `  by the steps ${JSON.stringify(counterexample?.[0])}\n  (fast-check path ${counterexamplePath})`
    : null
  process.send?.({ counts, finding })
}

signHere()
// A timeout's error is made for each call, and only messages are read here.
Error.stackTraceLimit = 0
try {
  if (part === 'money') await storm(moneySteps, await moneyModel(whenOver))
  else await storm(gateSteps, await gateModel(whenOver))
} finally {
  for (const undo of undos.toReversed()) await undo()
  process.disconnect?.()
  process.exit()
}
