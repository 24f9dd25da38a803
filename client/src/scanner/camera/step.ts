import type { CameraInfo } from './lenses.ts'
import {
  type CameraEvent,
  type Effect,
  type Fault,
  isLive,
  keepModel,
  type Model,
  type Notice,
  type Step,
  type TrackLife,
} from './model.ts'
import {
  advanceToReady,
  beginOpening,
  chooseCamera,
  clearTimers,
  failCamera,
  handleCameraOpened,
  handleCamerasListed,
  handleOpenRefused,
  isLate,
  startCamera,
  stopCamera,
} from './opening.ts'

export function stepCamera(model: Model, event: CameraEvent): Step {
  if ('attempt' in event && event.attempt !== model.attempt) return keepModel(model)
  const isOpening = model.phase.type === 'initializing'
  switch (event.type) {
    case 'start':
      return startCamera(model, event.track)
    case 'stop':
      return model.phase.type === 'off' ? keepModel(model) : stopCamera(model)
    case 'dispose':
      return stopCamera({ ...model, keepsStream: false })
    case 'listed':
      return isOpening ? handleCamerasListed(model, event.cameras) : keepModel(model)
    case 'opened':
      return isOpening || isLate(model) ? handleCameraOpened(model, event) : keepModel(model)
    case 'refused':
      return isOpening ? handleOpenRefused(model, event.fault) : keepModel(model)
    case 'picture':
      return advanceToReady({ ...model, hasPicture: true, recoveries: 0, notice: resumed(model.notice) })
    case 'decoder':
      return event.fault === null ? advanceToReady({ ...model, hasDecoder: true }) : decoderLost(model, event.fault)
    case 'timeUp':
      return timeUp(model, event.timer)
    case 'ended':
      return lost(model)
    case 'stalled':
      if (model.notice === 'pauseFailed') return { model, effects: [{ type: 'play' }] }
      // A hidden page gets no frames, so their absence means nothing.
      return model.isVisible ? lost(model) : keepModel(model)
    case 'muted':
      return isLive(model)
        ? { model, effects: [{ type: 'setTimer', timer: 'muted', ms: MUTE_PATIENCE_MS }] }
        : keepModel(model)
    case 'unmuted':
      return { model, effects: [{ type: 'clearTimer', timer: 'muted' }, { type: 'play' }, ...torchAgain(model)] }
    case 'shown':
      return shown(model, event.track)
    case 'hidden':
      return { model: { ...model, isVisible: false }, effects: [{ type: 'clearTimer', timer: 'muted' }] }
    case 'devices':
      return devices(model, event.cameras)
    case 'permission':
      return permission(model, event.state)
    case 'choose':
      return chooseCamera(model, event.camera)
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
    case 'rest':
      return keepModel({ ...model, isResting: event.on })
    case 'notice':
      return event.notice === 'pauseFailed' ? paused(model) : keepModel({ ...model, notice: event.notice })
  }
}

/** The stream is open but its picture stands still: nothing is scanned, and the notice stays, until a frame arrives. */
function paused(model: Model): Step {
  const isOn = isLive(model) || model.phase.type === 'initializing'
  if (!isOn) return keepModel(model)
  return {
    model: { ...model, notice: 'pauseFailed', hasPicture: false, phase: { type: 'initializing', why: 'recovery' } },
    effects: [
      { type: 'clearTimer', timer: 'camera' },
      { type: 'clearTimer', timer: 'ready' },
    ],
  }
}

function decoderLost(model: Model, fault: Fault): Step {
  const without = { ...model, hasDecoder: false }
  return model.phase.type === 'off' ? keepModel(without) : failCamera(without, fault)
}

const controls = (model: Model): Step =>
  isLive(model) ? { model, effects: [{ type: 'controls', torch: model.torch, zoom: model.zoom }] } : keepModel(model)

/** WebKit before iOS 18 switches the torch off with a mute and leaves it off (its bug 270840). */
const torchAgain = (model: Model): readonly Effect[] => (model.torch ? controls(model).effects : [])

const resumed = (notice: Notice | null): Notice | null => (notice === 'pauseFailed' ? null : notice)

function timeUp(model: Model, timer: Extract<CameraEvent, { type: 'timeUp' }>['timer']): Step {
  if (timer === 'muted') return model.isVisible ? lost(model) : keepModel(model)
  if (timer === 'ready')
    return model.phase.type === 'ready' ? keepModel({ ...model, phase: { type: 'scanning' } }) : keepModel(model)
  if (model.phase.type !== 'initializing') return keepModel(model)
  if (timer === 'scanner') return failCamera(model, 'scannerTimeout')
  return failCamera(model, 'cameraTimeout')
}

function between(model: Model, phase: 'ready' | 'scanning' | 'processing'): Step {
  if (!isLive(model)) return keepModel(model)
  return { model: { ...model, phase: { type: phase } }, effects: [{ type: 'clearTimer', timer: 'ready' }] }
}

/** iOS mutes a track briefly after the phone is unlocked; only a track that stays muted is dead. */
export const MUTE_PATIENCE_MS = 1_000

/** After this many streams in a row that died without a picture, another app must be using the camera. */
export const RECOVERIES_ALLOWED = 4

function lost(before: Model): Step {
  if (!isLive(before) && !(before.phase.type === 'initializing' && before.camera)) return keepModel(before)
  const model = { ...before, recoveries: before.recoveries + 1 }
  if (model.recoveries > RECOVERIES_ALLOWED) return failCamera({ ...model, recoveries: 0 }, 'busy')
  if (model.isVisible) return beginOpening(model, 'recovery')
  const phase = { type: 'initializing', why: 'recovery' } as const
  const waiting: Model = { ...model, phase, asks: [], camera: null, hasPicture: false }
  return { model: { ...waiting, attempt: model.attempt + 1 }, effects: [...clearTimers, { type: 'close' }] }
}

function shown(model: Model, track: TrackLife): Step {
  const visible = { ...model, isVisible: true }
  const { phase } = model
  if (phase.type === 'off') return keepModel(visible)
  if (phase.type === 'failed') return phase.fault === 'busy' ? beginOpening(visible, 'recovery') : keepModel(visible)
  if (phase.type === 'initializing' && model.camera === null) {
    // An opening under way continues; a postponed opening starts now.
    return model.isVisible || model.asks.length > 0 ? keepModel(visible) : beginOpening(visible, 'recovery')
  }
  if (track === 'ended' || track === 'none') return lost(visible)
  if (track === 'muted') {
    return { model: visible, effects: [{ type: 'play' }, { type: 'setTimer', timer: 'muted', ms: MUTE_PATIENCE_MS }] }
  }
  return { model: visible, effects: [{ type: 'play' }] }
}

function devices(model: Model, cameras: readonly CameraInfo[]): Step {
  const known = { ...model, cameras }
  const { phase, camera } = model
  if (
    phase.type === 'failed' &&
    cameras.length > 0 &&
    ['none', 'noneDetected', 'unplugged', 'unfit', 'busy'].includes(phase.fault)
  ) {
    return beginOpening(known, 'recovery')
  }
  const isGone = camera !== null && camera.id !== '' && !cameras.some(({ id }) => id === camera.id)
  return isGone && isLive(model) ? lost(known) : keepModel(known)
}

function permission(model: Model, state: PermissionState): Step {
  const { phase } = model
  if (state === 'denied' && phase.type !== 'off' && phase.type !== 'failed') return failCamera(model, 'denied')
  const waits = phase.type === 'failed' && (phase.fault === 'denied' || phase.fault === 'cameraTimeout')
  return state === 'granted' && waits ? beginOpening(model, 'recovery') : keepModel(model)
}
