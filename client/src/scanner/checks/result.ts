/** The state of a check. `good` only if tested just now; `absent`: this device lacks it and can do without. */
export type Result =
  | { type: 'untested' }
  | { type: 'testing' }
  | { type: 'good' | 'weak' | 'bad' | 'absent'; detail: string }

const UNTESTED: Result = { type: 'untested' }
export const TESTING: Result = { type: 'testing' }
export const good = (detail: string): Result => ({ type: 'good', detail })
export const weak = (detail: string): Result => ({ type: 'weak', detail })
export const bad = (detail: string): Result => ({ type: 'bad', detail })
export const absent = (detail: string): Result => ({ type: 'absent', detail })

export const CHECKS = [
  'camera',
  'torch',
  'selfTest',
  'sound',
  'roster',
  'clock',
  'persistence',
  'space',
  'version',
  'wakeLock',
] as const
export type CheckName = (typeof CHECKS)[number]
export type Results = Readonly<Record<CheckName, Result>>
export type SetResult = (name: CheckName, result: Result) => void

export const NOTHING_TESTED = Object.fromEntries(CHECKS.map((name) => [name, UNTESTED])) as Results

/** The checks that stop the device from being ready. */
export const openChecks = (results: Results): CheckName[] =>
  CHECKS.filter((name) => results[name].type !== 'good' && results[name].type !== 'absent')
