import { CAMERA } from '@garba/shared/messages/camera'
import { READINESS } from '@garba/shared/messages/readiness'
import { type RefObject, useCallback, useRef, useState } from 'react'
import { isNetworkFailure, messageOf } from '../../platform/http/failure.ts'
import type { Decoded } from '../decode/reading.ts'
import { useCamera } from '../screens/useCamera.ts'
import { SELF_TEST_TEXT } from '../verdict/selfTest.ts'
import { checkCamera, checkTorch } from './cameraChecks.ts'
import { checkPersistence, checkSpace, checkVersion, checkWakeLock } from './deviceChecks.ts'
import { tryPipeline } from './pipeline.ts'
import { bad, type CheckName, good, NOTHING_TESTED, type Result, type Results, TESTING } from './result.ts'
import { checkClock, checkList } from './serverChecks.ts'
import { playAll } from './soundCheck.ts'

/** What a check that threw comes to: most need the server. */
const failedResult = (error: unknown): Result => bad(isNetworkFailure(error) ? READINESS.noServer : messageOf(error))

const BY_ITSELF = {
  roster: checkList,
  clock: checkClock,
  persistence: checkPersistence,
  space: checkSpace,
  version: checkVersion,
  wakeLock: checkWakeLock,
} as const satisfies Partial<Record<CheckName, () => Promise<Result>>>

/** All checks of a device: what they came to, and the ways to run them. */
export function useReadiness(video: RefObject<HTMLVideoElement | null>) {
  const [results, setResults] = useState<Results>(NOTHING_TESTED)
  const [running, setRunning] = useState(false)
  /** `played`: the sounds have left the app, and the checker is asked. */
  const [sound, setSound] = useState<'idle' | 'playing' | 'played'>('idle')
  const [aiming, setAiming] = useState(false)
  const set = useCallback((name: CheckName, result: Result) => setResults((all) => ({ ...all, [name]: result })), [])
  const run = async (name: CheckName, check: () => Promise<Result>) => {
    set(name, TESTING)
    set(name, await check().catch(failedResult))
  }

  const wants = useRef(false)
  wants.current = aiming
  const see = useCallback(
    ({ text, ms }: Decoded) => {
      if (!wants.current || text !== SELF_TEST_TEXT) return
      setAiming(false)
      set('selfTest', good(READINESS.selfTest.good(Math.max(1, Math.round(ms)))))
    },
    [set],
  )
  const { control, now } = useCamera(see)

  const runAll = async () => {
    setRunning(true)
    for (const [name, check] of Object.entries(BY_ITSELF)) await run(name as CheckName, check)
    await run('camera', () => checkCamera(control, video.current))
    await run('torch', () => checkTorch(control, video.current))
    setRunning(false)
  }
  const playSounds = async () => {
    setSound('playing')
    set('sound', TESTING)
    const left = await playAll()
    setSound(left ? 'played' : 'idle')
    if (!left) set('sound', bad(READINESS.sound.blocked))
  }
  const hear = (heard: boolean) => {
    setSound('idle')
    set('sound', heard ? good(READINESS.sound.good) : bad(READINESS.sound.unheard))
  }
  const aim = async () => {
    set('selfTest', TESTING)
    if (!(await tryPipeline())) return set('selfTest', bad(READINESS.selfTest.failed))
    const camera = await checkCamera(control, video.current)
    set('camera', camera)
    if (camera.at === 'good') setAiming(true)
    else set('selfTest', bad(CAMERA.accessFailed))
  }
  const stopAiming = () => {
    setAiming(false)
    set('selfTest', bad(READINESS.selfTest.timeout))
  }
  return { results, running, runAll, sound, playSounds, hear, aiming, aim, stopAiming, control, camera: now }
}
