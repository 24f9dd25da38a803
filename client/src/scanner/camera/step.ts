import { CAMERA_INIT_TIMEOUT_MS, SCANNER_INIT_TIMEOUT_MS } from '@garba/shared/constants'
import { type Fault, isOfOneCamera } from './faults.ts'
import { asksFor, bestCamera, type CameraInfo, lensRank, rememberedCamera } from './lenses.ts'
import { type CameraEvent, type Effect, isLive, type Model, type Step, type TrackLife } from './model.ts'

/** iOS mutes a track for a moment after the phone was unlocked; only one that stays muted is dead. */
export const MUTE_PATIENCE_MS = 1_000

const stay = (model: Model): Step => ({ model, effects: [] })
const clearTimers: readonly Effect[] = [
  { do: 'clearTimer', timer: 'camera' },
  { do: 'clearTimer', timer: 'scanner' },
  { do: 'clearTimer', timer: 'muted' },
]

type Why = 'start' | 'switch' | 'recovery'

/** Begins an opening: the list of cameras first (SPEC 4: availability is checked first), asked for anew each time. */
function begin(model: Model, why: Why): Step {
  const attempt = model.attempt + 1
  return {
    model: {
      ...model,
      phase: { at: 'initializing', why },
      attempt,
      asks: [],
      camera: null,
      hasPicture: false,
      isParked: false,
    },
    effects: [
      { do: 'close' },
      { do: 'clearTimer', timer: 'muted' },
      { do: 'setTimer', timer: 'camera', ms: CAMERA_INIT_TIMEOUT_MS },
      ...(model.hasDecoder ? [] : [{ do: 'setTimer', timer: 'scanner', ms: SCANNER_INIT_TIMEOUT_MS } as const]),
      { do: 'list', attempt },
    ],
  }
}

function start(model: Model, track: TrackLife): Step {
  if (model.phase.at !== 'off' && model.phase.at !== 'failed') return stay(model)
  const fresh = { ...model, notice: null, before: null }
  if (!model.isParked || track !== 'live') return begin(fresh, 'start')
  const attempt = model.attempt + 1
  return {
    model: { ...fresh, attempt, phase: { at: 'initializing', why: 'start' }, isParked: false, hasPicture: false },
    effects: [
      { do: 'setTimer', timer: 'camera', ms: CAMERA_INIT_TIMEOUT_MS },
      { do: 'unpark', attempt },
    ],
  }
}

function stop(model: Model): Step {
  const parks = model.keepsStream && model.camera !== null && model.phase.at !== 'failed'
  return {
    model: { ...model, phase: { at: 'off' }, attempt: model.attempt + 1, isParked: parks, torch: false, notice: null },
    effects: [...clearTimers, { do: parks ? 'park' : 'close' }],
  }
}

function fail(model: Model, fault: Fault): Step {
  return {
    model: { ...model, phase: { at: 'failed', fault }, camera: null, hasPicture: false },
    effects: [...clearTimers, { do: 'close' }],
  }
}

function listed(model: Model, cameras: readonly CameraInfo[]): Step {
  if (cameras.length === 0) return fail({ ...model, cameras }, 'noneDetected')
  const asks = asksFor(cameras, model.choice)
  const [ask] = asks
  const effects: Effect[] = ask ? [{ do: 'open', attempt: model.attempt, ask }] : []
  return { model: { ...model, cameras, asks }, effects }
}

/** The next way of asking; after the last, back to the camera before a failed switch, else failure. */
function refused(model: Model, fault: Fault): Step {
  const asks = model.asks.slice(1)
  const [ask] = asks
  const isSwitch = model.phase.at === 'initializing' && model.phase.why === 'switch'
  if (isSwitch && model.before !== null && fault !== 'denied') {
    const choice = model.cameras.find(({ id }) => id === model.before) ?? null
    const back = begin({ ...model, choice, before: null, notice: 'switchFailed' }, 'recovery')
    return choice ? { ...back, effects: [...back.effects, { do: 'remember', choice }] } : back
  }
  if (ask && isOfOneCamera(fault)) {
    return { model: { ...model, asks }, effects: [{ do: 'open', attempt: model.attempt, ask }] }
  }
  return fail(model, fault)
}

/** A clearly better lens than the one the browser gave, where nobody chose and asking again costs no prompt. */
function betterLens(model: Model, opened: CameraInfo, cameras: readonly CameraInfo[]): CameraInfo | null {
  if (model.isLensSettled || model.keepsStream || rememberedCamera(cameras, model.choice)) return null
  const best = bestCamera(cameras)
  return best && best.id !== opened.id && lensRank(best.label) < lensRank(opened.label) ? best : null
}

function opened(model: Model, { camera, cameras }: Extract<CameraEvent, { type: 'opened' }>): Step {
  const better = betterLens(model, camera, cameras)
  if (better) {
    const settled = { ...model, cameras, isLensSettled: true, asks: asksFor(cameras, better) }
    return {
      model: settled,
      effects: [{ do: 'close' }, { do: 'open', attempt: model.attempt, ask: { by: 'id', id: better.id } }],
    }
  }
  const isLateOne = isLate(model)
  const phase: Model['phase'] = isLateOne ? { at: 'initializing', why: 'start' } : model.phase
  const effects: Effect[] = isLateOne ? [{ do: 'setTimer', timer: 'camera', ms: CAMERA_INIT_TIMEOUT_MS }] : []
  return { model: { ...model, phase, camera, cameras, isLensSettled: true }, effects: [...effects, { do: 'play' }] }
}

/** Whether a stream of this attempt is still welcome: the person may have thought about the permission for a while. */
const isLate = ({ phase }: Model) => phase.at === 'failed' && phase.fault === 'cameraTimeout'

export const wantsStream = (model: Model, attempt: number): boolean =>
  attempt === model.attempt && (model.phase.at === 'initializing' || isLate(model))

/** Scanning begins when there is a picture and a decoder to look at it. */
function began(model: Model): Step {
  const effects: Effect[] = []
  if (model.hasPicture) effects.push({ do: 'clearTimer', timer: 'camera' })
  if (model.hasDecoder) effects.push({ do: 'clearTimer', timer: 'scanner' })
  if (!model.hasPicture || !model.hasDecoder || model.phase.at !== 'initializing') return { model, effects }
  effects.push({ do: 'controls', torch: model.torch, zoom: model.zoom })
  return { model: { ...model, phase: { at: 'scanning' }, before: null }, effects }
}

/** Streams that die without ever showing a picture: so many in a row and somebody else holds the camera. */
export const RECOVERIES_ALLOWED = 4

/** The stream is dead: open it again now, or when the page is seen again. */
function lost(before: Model): Step {
  if (!isLive(before) && !(before.phase.at === 'initializing' && before.camera)) return stay(before)
  const model = { ...before, recoveries: before.recoveries + 1 }
  if (model.recoveries > RECOVERIES_ALLOWED) return fail({ ...model, recoveries: 0 }, 'busy')
  if (model.isVisible) return begin(model, 'recovery')
  const phase = { at: 'initializing', why: 'recovery' } as const
  const waiting: Model = { ...model, phase, asks: [], camera: null, hasPicture: false }
  return { model: { ...waiting, attempt: model.attempt + 1 }, effects: [...clearTimers, { do: 'close' }] }
}

function shown(model: Model, track: TrackLife): Step {
  const visible = { ...model, isVisible: true }
  const { phase } = model
  if (phase.at === 'off') return stay(visible)
  if (phase.at === 'failed') return phase.fault === 'busy' ? begin(visible, 'recovery') : stay(visible)
  if (phase.at === 'initializing' && model.camera === null) {
    // An opening under way goes on; one that was put off until now begins.
    return model.isVisible || model.asks.length > 0 ? stay(visible) : begin(visible, 'recovery')
  }
  if (track === 'ended' || track === 'none') return lost(visible)
  if (track === 'muted') {
    return { model: visible, effects: [{ do: 'play' }, { do: 'setTimer', timer: 'muted', ms: MUTE_PATIENCE_MS }] }
  }
  return { model: visible, effects: [{ do: 'play' }] }
}

function devices(model: Model, cameras: readonly CameraInfo[]): Step {
  const known = { ...model, cameras }
  const { phase, camera } = model
  if (phase.at === 'failed' && cameras.length > 0 && ['none', 'noneDetected', 'unfit', 'busy'].includes(phase.fault)) {
    return begin(known, 'recovery')
  }
  const isGone = camera !== null && camera.id !== '' && !cameras.some(({ id }) => id === camera.id)
  return isGone && isLive(model) ? lost(known) : stay(known)
}

function permission(model: Model, state: PermissionState): Step {
  const { phase } = model
  if (state === 'denied' && phase.at !== 'off' && phase.at !== 'failed') return fail(model, 'denied')
  const waits = phase.at === 'failed' && (phase.fault === 'denied' || phase.fault === 'cameraTimeout')
  return state === 'granted' && waits ? begin(model, 'recovery') : stay(model)
}

function choose(model: Model, { id, label }: CameraInfo): Step {
  const choice = { id, label }
  const chosen = { ...model, choice, notice: null, before: model.camera?.id ?? null, zoom: null, isLensSettled: true }
  const remember: Effect = { do: 'remember', choice }
  if (model.phase.at === 'off') return { model: { ...chosen, isParked: false }, effects: [{ do: 'close' }, remember] }
  const { model: next, effects } = begin(chosen, 'switch')
  return { model: next, effects: [...effects, remember] }
}

function timeUp(model: Model, timer: Extract<CameraEvent, { type: 'timeUp' }>['timer']): Step {
  if (timer === 'muted') return model.isVisible ? lost(model) : stay(model)
  if (model.phase.at !== 'initializing') return stay(model)
  if (timer === 'scanner') return fail(model, 'scannerTimeout')
  return fail(model, 'cameraTimeout')
}

function between(model: Model, phase: 'ready' | 'scanning' | 'processing'): Step {
  return isLive(model) ? stay({ ...model, phase: { at: phase } }) : stay(model)
}

/** Where the camera goes from here, and what is to be done for it. Answers of earlier attempts change nothing. */
export function step(model: Model, event: CameraEvent): Step {
  if ('attempt' in event && event.attempt !== model.attempt) return stay(model)
  const isOpening = model.phase.at === 'initializing'
  switch (event.type) {
    case 'start':
      return start(model, event.track)
    case 'stop':
      return model.phase.at === 'off' ? stay(model) : stop(model)
    case 'dispose':
      return stop({ ...model, keepsStream: false })
    case 'listed':
      return isOpening ? listed(model, event.cameras) : stay(model)
    case 'opened':
      return isOpening || isLate(model) ? opened(model, event) : stay(model)
    case 'refused':
      return isOpening ? refused(model, event.fault) : stay(model)
    case 'picture':
      return began({ ...model, hasPicture: true, recoveries: 0 })
    case 'decoder':
      return event.fault === null ? began({ ...model, hasDecoder: true }) : decoderLost(model, event.fault)
    case 'timeUp':
      return timeUp(model, event.timer)
    case 'ended':
      return lost(model)
    case 'stalled':
      // A hidden page gets no frames, and misses none.
      return model.isVisible ? lost(model) : stay(model)
    case 'muted':
      return isLive(model)
        ? { model, effects: [{ do: 'setTimer', timer: 'muted', ms: MUTE_PATIENCE_MS }] }
        : stay(model)
    case 'unmuted':
      return { model, effects: [{ do: 'clearTimer', timer: 'muted' }, { do: 'play' }] }
    case 'shown':
      return shown(model, event.track)
    case 'hidden':
      return { model: { ...model, isVisible: false }, effects: [{ do: 'clearTimer', timer: 'muted' }] }
    case 'devices':
      return devices(model, event.cameras)
    case 'permission':
      return permission(model, event.state)
    case 'choose':
      return choose(model, event.camera)
    case 'judging':
      return between(model, 'processing')
    case 'resting':
      return between(model, 'ready')
    case 'resume':
      return between(model, 'scanning')
    case 'torch':
      return controls({ ...model, torch: event.on })
    case 'zoom':
      return controls({ ...model, zoom: event.value })
    case 'notice':
      return stay({ ...model, notice: event.notice })
  }
}

function decoderLost(model: Model, fault: Fault): Step {
  const without = { ...model, hasDecoder: false }
  return model.phase.at === 'off' ? stay(without) : fail(without, fault)
}

const controls = (model: Model): Step =>
  isLive(model) ? { model, effects: [{ do: 'controls', torch: model.torch, zoom: model.zoom }] } : stay(model)
