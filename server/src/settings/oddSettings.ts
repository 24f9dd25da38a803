import { existsSync, readFileSync } from 'node:fs'
import { parseEnv } from 'node:util'
import { SETTING_NAMES } from '../config.ts'
import { splitList } from './variables.ts'

const KNOWN: ReadonlySet<string> = new Set(SETTING_NAMES)
const NOT_OURS = /^(NODE|GARBA|npm)_/
/** Matches a # that cuts off a value without quotes, such as a password. After a space, a # begins a comment. */
const CUT_OFF = /^[ \t]*(?:export[ \t]+)?(\w+)[ \t]*=(?![ \t]*['"`])[^#\n]*(?<=\S)#/gm
/** Other texts before an = may be parts of a secret: the second line of a key that was pasted with a line break. */
const NAME = /^[A-Z][A-Z\d]*(_[A-Z\d]+)*$/
/** Shorter names are similar to too many others. */
const SHORTEST = 4

/**
 * Lists likely mistakes in the settings that prevent nothing, one sentence each: unknown names in settings files, names
 * anywhere that are one slip from a setting, values cut off at a #, and a UPI ID that no payment method uses.
 */
export function oddSettings(environment: Readonly<Record<string, string | undefined>> = process.env): string[] {
  const files = ['.env', environment.GARBA_ENV ?? ''].map(readTextOrEmpty)
  const inFiles = new Set(files.flatMap((text) => Object.keys(parseEnv(text))))
  const unknown = [...new Set([...inFiles, ...Object.keys(environment)])].filter((name) => !KNOWN.has(name))
  const sentences = unknown.flatMap((name) => {
    if (!NAME.test(name) && !NOT_OURS.test(name))
      return inFiles.has(name) ? ['A line of the settings file has no name of a setting before its = sign.'] : []
    const meant = SETTING_NAMES.find((known) => isSlip(name, known))
    if (meant !== undefined) return [`${name} is not a setting: did you mean ${meant}?`]
    return inFiles.has(name) && !NOT_OURS.test(name) ? [`${name} is not a setting, so it changes nothing.`] : []
  })
  for (const [, name] of files.flatMap((text) => [...text.matchAll(CUT_OFF)]))
    sentences.push(`${name} ends before its # sign: put its value between single quotes.`)
  if (environment.UPI_ID && !splitList(environment.PAYMENTS ?? '').includes('upi'))
    sentences.push('UPI_ID is set, but PAYMENTS does not name upi, so guests cannot pay by UPI.')
  return sentences
}

function readTextOrEmpty(file: string): string {
  if (file === '' || !existsSync(file)) return ''
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // An unreadable file is reported elsewhere, or its values come from another source.
    return ''
  }
}

function isSlip(typed: string, known: string): boolean {
  if (typed.length < SHORTEST || Math.abs(typed.length - known.length) > 1) return false
  let from = 0
  while (from < typed.length && typed[from] === known[from]) from += 1
  let [endTyped, endKnown] = [typed.length, known.length]
  while (endTyped > from && endKnown > from && typed[endTyped - 1] === known[endKnown - 1]) {
    endTyped -= 1
    endKnown -= 1
  }
  const [one, other] = [typed.slice(from, endTyped), known.slice(from, endKnown)]
  return (one.length <= 1 && other.length <= 1) || (one.length === 2 && one === [...other].reverse().join(''))
}
