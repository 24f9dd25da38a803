import { asTyped } from '../../server/src/version.ts'
import { findUsage, parseArguments } from './commands.mjs'

export const printLine = (text: string): void => console.log(asTyped(text))

export async function runTimedStep<T>(title: string, work: () => Promise<T> | T): Promise<T> {
  const from = performance.now()
  console.log(`${title} ...`)
  const result = await work()
  console.log(`  done in ${((performance.now() - from) / 1000).toFixed(1)} s`)
  return result
}

const SENTENCES = new Set([
  'SetUpError',
  'BadSetting',
  'StoreUnusable',
  'PortUnusable',
  'FolderInUse',
  'BackupRefused',
  'KeyRefused',
  'MoveRefused',
])

const WHY: Readonly<Record<string, (path: string) => string>> = {
  EACCES: (path) => `You may not use ${path}: choose another place, or change its owner or mode.`,
  EPERM: (path) => `You may not use ${path}: choose another place, or change its owner or mode.`,
  EROFS: (path) => `${path} is on a disk that cannot be written: choose another place.`,
  ENOSPC: (path) => `The disk of ${path} is full: make room, or choose another place.`,
  ENOENT: (path) => `There is no ${path}.`,
  ENOTDIR: (path) => `A part of ${path} is a file, not a folder: choose another place.`,
  EISDIR: (path) => `${path} is a folder: name a file.`,
  EEXIST: (path) => `${path} exists already: choose another name.`,
}

function formatKnownError(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  if (SENTENCES.has(error.name)) return asTyped(error.message)
  const { code = '', path } = error as NodeJS.ErrnoException
  return path === undefined ? undefined : WHY[code]?.(path)
}

export class UsageError extends Error {
  override name = 'UsageError'
}

export interface CommandArguments {
  readonly words: readonly string[]
  has: (option: string) => boolean
  text: (option: string) => string | undefined
}

/**
 * Runs a command by its name in lib/commands, with the given words and options. `--help` prints its usage; wrong
 * arguments print it too and exit with 2. Each error is printed once: as a sentence, or with its stack if unexpected.
 */
export async function runCommand(
  name: string,
  body: (parsed: CommandArguments) => Promise<void> | void,
): Promise<void> {
  const usage = asTyped(findUsage(name) ?? '')
  const parsed = parseArguments(name, process.argv.slice(2))
  if (parsed === 'help') return console.log(usage)
  try {
    if (parsed === 'wrong') throw new UsageError()
    const { words, values } = parsed
    await body({
      words,
      has: (option) => values[option] === true,
      text: (option) => (typeof values[option] === 'string' ? values[option] : undefined),
    })
  } catch (error) {
    const wrong = error instanceof UsageError
    if (wrong) console.error(error.message === '' ? usage : `${error.message}\n\n${usage}`)
    else console.error(formatKnownError(error) ?? error)
    process.exitCode = wrong ? 2 : 1
  }
}
