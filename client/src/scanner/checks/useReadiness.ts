import { READINESS } from '@garba/shared/messages/readiness'
import { type RefObject, useCallback, useState } from 'react'
import { isNetworkFailure, messageOf } from '../../platform/http/failure.ts'
import { checkCamera, checkTorch } from './cameraChecks.ts'
import { checkPersistence, checkSpace, checkVersion, checkWakeLock } from './deviceChecks.ts'
import { bad, type CheckName, NOTHING_TESTED, type Result, type Results, type SetResult, TESTING } from './result.ts'
import { checkClock, checkList } from './serverChecks.ts'
import { useSelfTest } from './useSelfTest.ts'
import { useSoundCheck } from './useSoundCheck.ts'

/** The result of a check that threw: most need the server. */
const failedResult = (error: unknown): Result => bad(isNetworkFailure(error) ? READINESS.noServer : messageOf(error))

/** The checks that run by themselves, in order. */
const BY_ITSELF: readonly [CheckName, () => Promise<Result>][] = [
  ['roster', checkList],
  ['clock', checkClock],
  ['persistence', checkPersistence],
  ['space', checkSpace],
  ['version', checkVersion],
  ['wakeLock', checkWakeLock],
]

/** All checks of a device: their results, and functions to run them. */
export function useReadiness(video: RefObject<HTMLVideoElement | null>) {
  const [results, setResults] = useState<Results>(NOTHING_TESTED)
  const [running, setRunning] = useState(false)
  const set: SetResult = useCallback((name, result) => setResults((all) => ({ ...all, [name]: result })), [])
  const sound = useSoundCheck(set)
  const selfTest = useSelfTest(video, set)
  const { control } = selfTest
  const run = async (name: CheckName, check: () => Promise<Result>) => {
    set(name, TESTING)
    set(name, await check().catch(failedResult))
  }
  const runAll = async () => {
    setRunning(true)
    for (const [name, check] of BY_ITSELF) await run(name, check)
    await run('camera', () => checkCamera(control, video.current))
    await run('torch', () => checkTorch(control, video.current))
    setRunning(false)
  }
  return { results, running, runAll, sound, selfTest }
}
