import { MINUTE_MS } from '@garba/shared/constants'
import { bytesText } from '@garba/shared/messages/amounts'
import { type RefObject, useCallback, useEffect, useRef, useState } from 'react'
import { APP_VERSION } from '../../platform/config.ts'
import { callServer } from '../../platform/http/call.ts'
import { getErrorMessage, isNetworkFailure } from '../../platform/http/failure.ts'
import { SELF_TEST_TEXT } from '../../platform/keys/readKeys.ts'
import { takeScans } from '../../platform/keys/scannerKeys.ts'
import { clockOffset, isDrifting } from '../../platform/net/clock.ts'
import { useUpdate } from '../../platform/pwa/install.ts'
import { askPersistence, storageState } from '../../platform/pwa/storage.ts'
import { askWakeLock } from '../../platform/screen/wakeLock.ts'
import type { CameraController } from '../camera/cameraController.ts'
import { useCamera } from '../camera/useCamera.ts'
import { CHECKS, type CheckName, keepCheck } from '../core/readiness.ts'
import type { Look } from '../core/scan.ts'
import type { DecodedCode } from '../decode/reading.ts'
import { playSound, SOUNDS, unlockSound } from '../scan/sounds.ts'
import { tryWrite } from '../store/record.ts'
import { checkRoster, syncRoster } from '../sync/syncRoster.ts'
import { READINESS } from '../texts/phone.ts'

/** An evening's list, history and outbox need a few megabytes; below this a phone will soon refuse writes. */
const FREE_MIN_BYTES = 50_000_000

async function checkPersistence(): Promise<Result> {
  const agreed = await askPersistence()
  if (agreed || (await storageState()).persisted) return reportGood(READINESS.persistence.good)
  return reportWeak(agreed === null ? READINESS.persistence.unanswered : READINESS.persistence.weak)
}

async function checkSpace(): Promise<Result> {
  try {
    await tryWrite()
  } catch (error) {
    console.warn('The test scan was not written', error)
    return reportBad(READINESS.space.failed)
  }
  const { freeBytes } = await storageState()
  if (freeBytes === null) return reportWeak(READINESS.space.unknown)
  const free = bytesText(freeBytes)
  return freeBytes < FREE_MIN_BYTES ? reportBad(READINESS.space.low(free)) : reportGood(READINESS.space.good(free))
}

async function checkVersion(): Promise<Result> {
  const { version } = await callServer('config', { retries: 0 })
  if (version !== APP_VERSION) return reportWeak(READINESS.version.bad(APP_VERSION, version))
  if (useUpdate.getState().ready) return reportWeak(READINESS.version.waiting)
  return (await opensOffline()) ? reportGood(READINESS.version.good(version)) : reportWeak(READINESS.version.offline)
}

async function opensOffline(): Promise<boolean> {
  if (!('serviceWorker' in navigator) || !('caches' in window)) return false
  const registration = await navigator.serviceWorker.getRegistration()
  return Boolean(registration?.active && (await caches.match('/scanner.html', { ignoreSearch: true })))
}

const HELD_MS = 300

async function checkWakeLock(): Promise<Result> {
  if (!('wakeLock' in navigator)) return reportAbsent(READINESS.wakeLock.absent)
  const lock = await askWakeLock()
  await wait(HELD_MS)
  const isHeld = lock !== null && !lock.released
  await lock?.release()
  return isHeld ? reportGood(READINESS.wakeLock.good) : reportWeak(READINESS.wakeLock.refused)
}

/** The device's clock against the server's, measured now. Throws ApiFailure. */
async function checkClock(): Promise<Result> {
  await syncRoster()
  const off = Math.abs(clockOffset())
  if (isDrifting(clockOffset())) return reportBad(READINESS.clock.bad(Math.round(off / MINUTE_MS)))
  return reportGood(READINESS.clock.good(Math.ceil(off / 1000)))
}

/** Compares the list with the server's by count and hash, after fetching it whole if they differ. Throws ApiFailure. */
async function checkList(): Promise<Result> {
  const { same, here, server } = await checkRoster()
  if (!same) return reportBad(READINESS.roster.bad(here.count, server.count))
  return here.count === 0 ? reportWeak(READINESS.roster.empty) : reportGood(READINESS.roster.good(here.count))
}

const failedResult = (error: unknown): Result =>
  reportBad(isNetworkFailure(error) ? READINESS.noServer : getErrorMessage(error))

const BY_ITSELF: readonly [CheckName, () => Promise<Result>][] = [
  ['roster', checkList],
  ['clock', checkClock],
  ['persistence', checkPersistence],
  ['space', checkSpace],
  ['version', checkVersion],
  ['wakeLock', checkWakeLock],
]

export function useReadiness(video: RefObject<HTMLVideoElement | null>) {
  const [results, setResults] = useState<Results>(NOTHING_TESTED)
  const [running, setRunning] = useState(false)
  const set: SetResult = useCallback((name, result) => {
    setResults((all) => ({ ...all, [name]: result }))
    if (result.type !== 'testing') keepCheck(name, !isOpen(name, result))
  }, [])
  const sound = useSoundCheck(set)
  useEffect(
    () =>
      takeScans((input) => {
        const isTest = input.type === 'code' && input.text === SELF_TEST_TEXT
        const other = input.type === 'code' ? READINESS.handScanner.other : READINESS.handScanner.wrong
        set('handScanner', isTest ? reportGood(READINESS.handScanner.good) : reportBad(other))
      }),
    [set],
  )
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

/** Only the checker can say whether the sounds were audible, so the question appears after they were played. */
function useSoundCheck(set: SetResult) {
  const [at, setAt] = useState<'idle' | 'playing' | 'played'>('idle')
  const play = async () => {
    setAt('playing')
    set('sound', TESTING)
    const arePlayed = await playAll()
    setAt(arePlayed ? 'played' : 'idle')
    if (!arePlayed) set('sound', reportBad(READINESS.sound.blocked))
  }
  const confirm = (wasHeard: boolean) => {
    setAt('idle')
    set('sound', wasHeard ? reportGood(READINESS.sound.good) : reportBad(READINESS.sound.unheard))
  }
  return { at, play, confirm }
}

const GAP_MS = 350

const lengthMs = (look: Look) => Math.max(...SOUNDS[look].map(({ at, lasts }) => at + lasts)) * 1000

/** Plays the three sounds in turn; resolves to false if the browser allows none. Call it from a tap. */
async function playAll(): Promise<boolean> {
  if (!(await unlockSound())) return false
  for (const look of Object.keys(SOUNDS) as Look[]) {
    playSound(look)
    await wait(lengthMs(look) + GAP_MS)
  }
  return true
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

function useSelfTest(video: RefObject<HTMLVideoElement | null>, set: SetResult) {
  const [aiming, setAiming] = useState(false)
  const wants = useRef(false)
  wants.current = aiming
  const see = useCallback(
    (decoded: DecodedCode | null) => {
      if (!wants.current || decoded?.text !== SELF_TEST_TEXT) return
      setAiming(false)
      set('selfTest', reportGood(READINESS.selfTest.good(Math.max(1, Math.round(decoded.ms)))))
    },
    [set],
  )
  const { control, now } = useCamera(see)
  const aim = async () => {
    set('selfTest', TESTING)
    const camera = await checkCamera(control, video.current)
    set('camera', camera)
    if (camera.type === 'good') setAiming(true)
    else set('selfTest', camera)
  }
  const stop = () => {
    setAiming(false)
    set('selfTest', reportBad(READINESS.selfTest.timeout))
  }
  return { aiming, aim, stop, control, camera: now }
}

const START_MS = 12_000
const TORCH_MS = 700

async function checkCamera(control: CameraController, video: HTMLVideoElement | null): Promise<Result> {
  control.start()
  await Promise.race([control.opened(), wait(START_MS)])
  const { fault, phase, cameraLabel } = control.getSnapshot()
  if (fault !== null) return reportBad(fault.text)
  if (phase.type === 'initializing' || phase.type === 'off' || video === null) return reportBad(READINESS.camera.none)
  if (isBlank(video)) return reportBad(READINESS.camera.dark)
  return reportGood(
    READINESS.camera.good(cameraLabel || READINESS.camera.title, `${video.videoWidth} × ${video.videoHeight}`),
  )
}

const SAMPLE = 32
/** Out of 255: a covered lens stays below this. */
const BLACK = 12

function isBlank(video: HTMLVideoElement): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = SAMPLE
  canvas.height = SAMPLE
  const context = canvas.getContext('2d')
  if (!context) return false
  context.drawImage(video, 0, 0, SAMPLE, SAMPLE)
  const { data } = context.getImageData(0, 0, SAMPLE, SAMPLE)
  return data.every((value, index) => index % 4 === 3 || value < BLACK)
}

async function checkTorch(control: CameraController, video: HTMLVideoElement | null): Promise<Result> {
  const { fault, cameraId, torch } = control.getSnapshot()
  if (cameraId === null) return reportBad(fault?.text ?? READINESS.camera.none)
  if (!torch.isThere) return reportAbsent(READINESS.torch.absent)
  control.setTorch(true)
  await wait(TORCH_MS)
  const lit = isLit(video)
  const refused = control.getSnapshot().noticeText !== null
  control.setTorch(false)
  control.dismissNotice()
  if (refused || lit === false) return reportBad(READINESS.torch.failed)
  return lit === null ? reportWeak(READINESS.torch.unsure) : reportGood(READINESS.torch.good)
}

function isLit(video: HTMLVideoElement | null): boolean | null {
  const stream = video?.srcObject
  const track = stream instanceof MediaStream ? stream.getVideoTracks()[0] : undefined
  const settings: (MediaTrackSettings & { torch?: boolean }) | undefined = track?.getSettings()
  return settings?.torch ?? null
}

/** The state of a check. `good` only if tested just now; `absent`: this device lacks it and can do without. */
export type Result =
  | { type: 'untested' }
  | { type: 'testing' }
  | { type: 'good' | 'weak' | 'bad' | 'absent'; detail: string }

const UNTESTED: Result = { type: 'untested' }
export const TESTING: Result = { type: 'testing' }
export const reportGood = (detail: string): Result => ({ type: 'good', detail })
export const reportWeak = (detail: string): Result => ({ type: 'weak', detail })
export const reportBad = (detail: string): Result => ({ type: 'bad', detail })
export const reportAbsent = (detail: string): Result => ({ type: 'absent', detail })

export type Results = Readonly<Record<CheckName, Result>>
type SetResult = (name: CheckName, result: Result) => void

export const NOTHING_TESTED = Object.fromEntries(CHECKS.map((name) => [name, UNTESTED])) as Results

/** Most devices have no scanner of their own, so it counts only once it typed something. */
const isOpen = (name: CheckName, { type }: Result): boolean =>
  type !== 'good' && type !== 'absent' && !(name === 'handScanner' && type === 'untested')

export const openChecks = (results: Results): CheckName[] => CHECKS.filter((name) => isOpen(name, results[name]))
