import { local } from '../../platform/store/local.ts'
import { eveningNow } from './moment.ts'

export const CHECKS = [
  'camera',
  'torch',
  'selfTest',
  'handScanner',
  'sound',
  'roster',
  'clock',
  'persistence',
  'space',
  'version',
  'wakeLock',
] as const
export type CheckName = (typeof CHECKS)[number]

const KEY = 'garba.readiness'

function readPassed(): readonly CheckName[] {
  const kept = local.readJson<{ evening: string; passed: CheckName[] }>(KEY)
  return kept?.evening === eveningNow() ? kept.passed : []
}

/** What passed counts for one evening, so that the start screen can say what is still to test. */
export function keepCheck(name: CheckName, hasPassed: boolean): void {
  const others = readPassed().filter((other) => other !== name)
  local.writeJson(KEY, { evening: eveningNow(), passed: hasPassed ? [...others, name] : others })
}

export const listOpenChecks = (): CheckName[] => {
  const passed = readPassed()
  return CHECKS.filter((name) => name !== 'handScanner' && !passed.includes(name))
}
