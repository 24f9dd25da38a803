import type { Fault, Notice } from './faults.ts'
import { type CameraEvent, isLive, type Model, type Step, stay } from './model.ts'
import { began, choose, fail, isLate, listed, opened, refused, start, stop } from './opening.ts'
import { devices, lost, MUTE_PATIENCE_MS, permission, shown } from './recovery.ts'

/** The next state and its effects. Results of earlier attempts change nothing. */
export function step(model: Model, event: CameraEvent): Step {
  if ('attempt' in event && event.attempt !== model.attempt) return stay(model)
  const isOpening = model.phase.type === 'initializing'
  switch (event.type) {
    case 'start':
      return start(model, event.track)
    case 'stop':
      return model.phase.type === 'off' ? stay(model) : stop(model)
    case 'dispose':
      return stop({ ...model, keepsStream: false })
    case 'listed':
      return isOpening ? listed(model, event.cameras) : stay(model)
    case 'opened':
      return isOpening || isLate(model) ? opened(model, event) : stay(model)
    case 'refused':
      return isOpening ? refused(model, event.fault) : stay(model)
    case 'picture':
      return began({ ...model, hasPicture: true, recoveries: 0, notice: resumed(model.notice) })
    case 'decoder':
      return event.fault === null ? began({ ...model, hasDecoder: true }) : decoderLost(model, event.fault)
    case 'timeUp':
      return timeUp(model, event.timer)
    case 'ended':
      return lost(model)
    case 'stalled':
      // A hidden page gets no frames, so their absence means nothing.
      return model.isVisible ? lost(model) : stay(model)
    case 'muted':
      return isLive(model)
        ? { model, effects: [{ type: 'setTimer', timer: 'muted', ms: MUTE_PATIENCE_MS }] }
        : stay(model)
    case 'unmuted':
      return { model, effects: [{ type: 'clearTimer', timer: 'muted' }, { type: 'play' }] }
    case 'shown':
      return shown(model, event.track)
    case 'hidden':
      return { model: { ...model, isVisible: false }, effects: [{ type: 'clearTimer', timer: 'muted' }] }
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
  return model.phase.type === 'off' ? stay(without) : fail(without, fault)
}

const controls = (model: Model): Step =>
  isLive(model) ? { model, effects: [{ type: 'controls', torch: model.torch, zoom: model.zoom }] } : stay(model)

/** With a picture, the scanner continues after all. */
const resumed = (notice: Notice | null): Notice | null => (notice === 'pauseFailed' ? null : notice)

function timeUp(model: Model, timer: Extract<CameraEvent, { type: 'timeUp' }>['timer']): Step {
  if (timer === 'muted') return model.isVisible ? lost(model) : stay(model)
  if (timer === 'ready')
    return model.phase.type === 'ready' ? stay({ ...model, phase: { type: 'scanning' } }) : stay(model)
  if (model.phase.type !== 'initializing') return stay(model)
  if (timer === 'scanner') return fail(model, 'scannerTimeout')
  return fail(model, 'cameraTimeout')
}

function between(model: Model, phase: 'ready' | 'scanning' | 'processing'): Step {
  if (!isLive(model)) return stay(model)
  return { model: { ...model, phase: { type: phase } }, effects: [{ type: 'clearTimer', timer: 'ready' }] }
}
