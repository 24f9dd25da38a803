import { CAMERA_INIT_TIMEOUT_MS, SCANNER_INIT_TIMEOUT_MS } from '@garba/shared/constants'
import { asksFor, bestCamera, type CameraInfo, lensRank, rememberedCamera } from './lenses.ts'
import {
  type CameraEvent,
  type Effect,
  type Fault,
  isOfOneCamera,
  keepModel,
  type Model,
  type Step,
  type TrackLife,
} from './model.ts'

export const clearTimers: readonly Effect[] = [
  { type: 'clearTimer', timer: 'camera' },
  { type: 'clearTimer', timer: 'scanner' },
  { type: 'clearTimer', timer: 'muted' },
  { type: 'clearTimer', timer: 'ready' },
]

type Why = 'start' | 'switch' | 'recovery'

/** Lists the cameras each time, because one may have been plugged in or removed. */
export function beginOpening(model: Model, why: Why): Step {
  const attempt = model.attempt + 1
  return {
    model: {
      ...model,
      phase: { type: 'initializing', why },
      attempt,
      asks: [],
      camera: null,
      hasPicture: false,
      isParked: false,
    },
    effects: [
      { type: 'close' },
      { type: 'clearTimer', timer: 'muted' },
      { type: 'setTimer', timer: 'camera', ms: CAMERA_INIT_TIMEOUT_MS },
      ...(model.hasDecoder ? [] : [{ type: 'setTimer', timer: 'scanner', ms: SCANNER_INIT_TIMEOUT_MS } as const]),
      { type: 'list', attempt },
    ],
  }
}

export function startCamera(model: Model, track: TrackLife): Step {
  if (model.phase.type !== 'off' && model.phase.type !== 'failed') return keepModel(model)
  const fresh = { ...model, notice: null, before: null }
  if (!model.isParked || track !== 'live') return beginOpening(fresh, 'start')
  const attempt = model.attempt + 1
  return {
    model: { ...fresh, attempt, phase: { type: 'initializing', why: 'start' }, isParked: false, hasPicture: false },
    effects: [
      { type: 'setTimer', timer: 'camera', ms: CAMERA_INIT_TIMEOUT_MS },
      { type: 'unpark', attempt },
    ],
  }
}

/** A stream that is only switched off keeps its torch burning. */
const torchOut = ({ zoom }: Model): Effect => ({ type: 'controls', torch: false, zoom })

export function stopCamera(model: Model): Step {
  const parks = model.keepsStream && model.camera !== null && model.phase.type !== 'failed'
  return {
    model: {
      ...model,
      phase: { type: 'off' },
      attempt: model.attempt + 1,
      isParked: parks,
      torch: false,
      notice: null,
    },
    effects: [...clearTimers, ...(parks && model.torch ? [torchOut(model)] : []), { type: parks ? 'park' : 'close' }],
  }
}

export function failCamera(model: Model, fault: Fault): Step {
  return {
    model: { ...model, phase: { type: 'failed', fault }, camera: null, hasPicture: false },
    effects: [...clearTimers, { type: 'close' }],
  }
}

export function handleCamerasListed(model: Model, cameras: readonly CameraInfo[]): Step {
  if (cameras.length === 0) {
    const hadOne = model.phase.type === 'initializing' && model.phase.why === 'recovery'
    return failCamera({ ...model, cameras }, hadOne ? 'unplugged' : 'noneDetected')
  }
  const asks = asksFor(cameras, model.choice)
  const [ask] = asks
  const effects: Effect[] = ask ? [{ type: 'open', attempt: model.attempt, ask }] : []
  return { model: { ...model, cameras, asks }, effects }
}

export function handleOpenRefused(model: Model, fault: Fault): Step {
  const asks = model.asks.slice(1)
  const [ask] = asks
  const isSwitch = model.phase.type === 'initializing' && model.phase.why === 'switch'
  if (isSwitch && model.before !== null && fault !== 'denied') {
    const choice = model.cameras.find(({ id }) => id === model.before) ?? null
    const back = beginOpening({ ...model, choice, before: null, notice: 'switchFailed' }, 'recovery')
    return choice ? { ...back, effects: [...back.effects, { type: 'remember', choice }] } : back
  }
  if (ask && isOfOneCamera(fault)) {
    return { model: { ...model, asks }, effects: [{ type: 'open', attempt: model.attempt, ask }] }
  }
  return failCamera(model, fault)
}

/** A clearly better lens than the browser's choice, if nobody chose one and requesting it costs no prompt. */
function betterLens(model: Model, opened: CameraInfo, cameras: readonly CameraInfo[]): CameraInfo | null {
  if (model.isLensSettled || model.keepsStream || rememberedCamera(cameras, model.choice)) return null
  const best = bestCamera(cameras)
  return best && best.id !== opened.id && lensRank(best.label) < lensRank(opened.label) ? best : null
}

export function handleCameraOpened(model: Model, { camera, cameras }: Extract<CameraEvent, { type: 'opened' }>): Step {
  const better = betterLens(model, camera, cameras)
  if (better) {
    const modelWithLens = { ...model, cameras, isLensSettled: true, asks: asksFor(cameras, better) }
    return {
      model: modelWithLens,
      effects: [{ type: 'close' }, { type: 'open', attempt: model.attempt, ask: { type: 'id', id: better.id } }],
    }
  }
  const isLateOne = isLate(model)
  const phase: Model['phase'] = isLateOne ? { type: 'initializing', why: 'start' } : model.phase
  const effects: Effect[] = isLateOne ? [{ type: 'setTimer', timer: 'camera', ms: CAMERA_INIT_TIMEOUT_MS }] : []
  return { model: { ...model, phase, camera, cameras, isLensSettled: true }, effects: [...effects, { type: 'play' }] }
}

export function chooseCamera(model: Model, { id, label }: CameraInfo): Step {
  const choice = { id, label }
  const chosen = { ...model, choice, notice: null, before: model.camera?.id ?? null, zoom: null, isLensSettled: true }
  const remember: Effect = { type: 'remember', choice }
  if (model.phase.type === 'off')
    return { model: { ...chosen, isParked: false }, effects: [{ type: 'close' }, remember] }
  const { model: next, effects } = beginOpening(chosen, 'switch')
  return { model: next, effects: [...effects, remember] }
}

/** Whether a stream that arrives late can still be used: the permission prompt may have stayed open. */
export const isLate = ({ phase }: Model) => phase.type === 'failed' && phase.fault === 'cameraTimeout'

export const wantsStream = (model: Model, attempt: number): boolean =>
  attempt === model.attempt && (model.phase.type === 'initializing' || isLate(model))

/** Long enough to read: people who just started the camera see that it is ready before it scans. */
export const READY_MS = 700

export function advanceToReady(model: Model): Step {
  const effects: Effect[] = []
  if (model.hasPicture) effects.push({ type: 'clearTimer', timer: 'camera' })
  if (model.hasDecoder) effects.push({ type: 'clearTimer', timer: 'scanner' })
  if (!model.hasPicture || !model.hasDecoder || model.phase.type !== 'initializing') return { model, effects }
  effects.push(
    { type: 'controls', torch: model.torch, zoom: model.zoom },
    { type: 'setTimer', timer: 'ready', ms: READY_MS },
  )
  return { model: { ...model, phase: { type: 'ready' }, before: null }, effects }
}
