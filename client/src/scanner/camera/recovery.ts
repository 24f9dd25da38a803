import type { CameraInfo } from './lenses.ts'
import { isLive, type Model, type Step, stay, type TrackLife } from './model.ts'
import { begin, clearTimers, fail } from './opening.ts'

/** iOS mutes a track briefly after the phone is unlocked; only one that stays muted is dead. */
export const MUTE_PATIENCE_MS = 1_000

/** After this many streams in a row that died without a picture, another app must be using the camera. */
export const RECOVERIES_ALLOWED = 4

/** The stream is dead: reopens it now, or when the page becomes visible again. */
export function lost(before: Model): Step {
  if (!isLive(before) && !(before.phase.type === 'initializing' && before.camera)) return stay(before)
  const model = { ...before, recoveries: before.recoveries + 1 }
  if (model.recoveries > RECOVERIES_ALLOWED) return fail({ ...model, recoveries: 0 }, 'busy')
  if (model.isVisible) return begin(model, 'recovery')
  const phase = { type: 'initializing', why: 'recovery' } as const
  const waiting: Model = { ...model, phase, asks: [], camera: null, hasPicture: false }
  return { model: { ...waiting, attempt: model.attempt + 1 }, effects: [...clearTimers, { type: 'close' }] }
}

export function shown(model: Model, track: TrackLife): Step {
  const visible = { ...model, isVisible: true }
  const { phase } = model
  if (phase.type === 'off') return stay(visible)
  if (phase.type === 'failed') return phase.fault === 'busy' ? begin(visible, 'recovery') : stay(visible)
  if (phase.type === 'initializing' && model.camera === null) {
    // An opening under way continues; one that was postponed starts now.
    return model.isVisible || model.asks.length > 0 ? stay(visible) : begin(visible, 'recovery')
  }
  if (track === 'ended' || track === 'none') return lost(visible)
  if (track === 'muted') {
    return { model: visible, effects: [{ type: 'play' }, { type: 'setTimer', timer: 'muted', ms: MUTE_PATIENCE_MS }] }
  }
  return { model: visible, effects: [{ type: 'play' }] }
}

export function devices(model: Model, cameras: readonly CameraInfo[]): Step {
  const known = { ...model, cameras }
  const { phase, camera } = model
  if (
    phase.type === 'failed' &&
    cameras.length > 0 &&
    ['none', 'noneDetected', 'unplugged', 'unfit', 'busy'].includes(phase.fault)
  ) {
    return begin(known, 'recovery')
  }
  const isGone = camera !== null && camera.id !== '' && !cameras.some(({ id }) => id === camera.id)
  return isGone && isLive(model) ? lost(known) : stay(known)
}

export function permission(model: Model, state: PermissionState): Step {
  const { phase } = model
  if (state === 'denied' && phase.type !== 'off' && phase.type !== 'failed') return fail(model, 'denied')
  const waits = phase.type === 'failed' && (phase.fault === 'denied' || phase.fault === 'cameraTimeout')
  return state === 'granted' && waits ? begin(model, 'recovery') : stay(model)
}
