import { asTyped } from '../../server/src/commandWords.ts'

/** A line with a command in it, as it is typed here. */
export const say = (text: string): void => console.log(asTyped(text))

/** Prints one line when a step starts and one with its duration when it is done. */
export async function step<T>(title: string, work: () => Promise<T> | T): Promise<T> {
  const from = performance.now()
  console.log(`${title} ...`)
  const result = await work()
  console.log(`  done in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  return result
}

/** Errors whose message is a sentence for the person at the terminal. */
const SENTENCES = new Set([
  'SetUpError',
  'BadSetting',
  'StoreUnusable',
  'PortUnusable',
  'BackupRefused',
  'KeyRefused',
  'MoveRefused',
  'UsageError',
])

const sentenceOf = (error: unknown): string | undefined =>
  error instanceof Error && SENTENCES.has(error.name) ? asTyped(error.message) : undefined

/** The command does not know these arguments. The message is its usage. */
export class UsageError extends Error {
  override name = 'UsageError'
}

/** Runs a command. Unexpected errors are printed with their stack. Wrong arguments exit with 2 (DECISIONS 8). */
export async function command(body: () => Promise<void> | void): Promise<void> {
  try {
    await body()
  } catch (error) {
    console.error(sentenceOf(error) ?? error)
    process.exitCode = error instanceof UsageError ? 2 : 1
  }
}
