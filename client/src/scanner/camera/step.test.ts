import { CAMERA_INIT_TIMEOUT_MS, SCANNER_INIT_TIMEOUT_MS } from '@garba/shared/constants'
import { describe, expect, test } from 'vitest'
import type { CameraInfo } from './lenses.ts'
import {
  buildCameraSnapshot,
  type CameraEvent,
  type Effect,
  initialModel,
  type Model,
  type OpenCamera,
} from './model.ts'
import { READY_MS, wantsStream } from './opening.ts'
import { MUTE_PATIENCE_MS, RECOVERIES_ALLOWED, stepCamera } from './step.ts'

const BACK = { id: 'b', label: 'Back Camera' }
const FRONT = { id: 'f', label: 'Front Camera' }
const opened = (camera: CameraInfo): OpenCamera => ({ ...camera, abilities: { torch: true, zoom: null, focus: false } })

const READY_OVER: CameraEvent = { type: 'timeUp', timer: 'ready' }

/** A camera's life: events go in, the model and all effects so far can be looked at. */
class Life {
  model: Model
  effects: readonly Effect[] = []
  constructor(options: Partial<Model> = {}) {
    this.model = { ...initialModel({ choice: null, keepsStream: false }), ...options }
  }
  tell(...events: CameraEvent[]) {
    for (const event of events) {
      const next = stepCamera(this.model, event)
      this.model = next.model
      this.effects = next.effects
    }
    return this
  }
  get phase() {
    return this.model.phase
  }
  did(what: Effect['type']) {
    return this.effects.filter((effect) => effect.type === what)
  }
  /** Answers the opening under way, up to the first picture. */
  open(camera = BACK, cameras = [BACK, FRONT]) {
    const { attempt } = this.model
    return this.tell(
      { type: 'listed', attempt, cameras },
      { type: 'opened', attempt, camera: opened(camera), cameras },
      { type: 'picture', attempt },
    )
  }
  static scanning(options: Partial<Model> = {}) {
    return new Life(options)
      .tell({ type: 'start', track: 'none' })
      .open()
      .tell({ type: 'decoder', fault: null }, READY_OVER)
  }
}

describe('starting', () => {
  test('the cameras are listed first; with a picture and a decoder the scanner is ready, and a moment later it scans', () => {
    const life = new Life().tell({ type: 'start', track: 'none' })
    expect(life.did('list')).toHaveLength(1)
    expect(life.did('open')).toHaveLength(0)
    expect(life.did('setTimer')).toEqual([
      { type: 'setTimer', timer: 'camera', ms: CAMERA_INIT_TIMEOUT_MS },
      { type: 'setTimer', timer: 'scanner', ms: SCANNER_INIT_TIMEOUT_MS },
    ])
    expect(life.open().phase).toEqual({ type: 'initializing', why: 'start' })
    expect(life.tell({ type: 'decoder', fault: null }).phase).toEqual({ type: 'ready' })
    expect(life.did('setTimer')).toEqual([{ type: 'setTimer', timer: 'ready', ms: READY_MS }])
    expect(life.tell(READY_OVER).phase).toEqual({ type: 'scanning' })
  })

  test('no camera at all, no picture in time, no decoder in time: each its own fault', () => {
    const none = new Life().tell({ type: 'start', track: 'none' })
    none.tell({ type: 'listed', attempt: none.model.attempt, cameras: [] })
    expect(none.phase).toEqual({ type: 'failed', fault: 'noneDetected' })
    const late = new Life().tell({ type: 'start', track: 'none' }, { type: 'timeUp', timer: 'camera' })
    expect(late.phase).toEqual({ type: 'failed', fault: 'cameraTimeout' })
    const blind = new Life().tell({ type: 'start', track: 'none' }, { type: 'timeUp', timer: 'scanner' })
    expect(blind.phase).toEqual({ type: 'failed', fault: 'scannerTimeout' })
  })

  test('a camera that will not open gives way to the next way of asking; a refusal by the person ends it', () => {
    const life = new Life().tell({ type: 'start', track: 'none' })
    const { attempt } = life.model
    life.tell({ type: 'listed', attempt, cameras: [BACK] }, { type: 'refused', attempt, fault: 'unfit' })
    expect(life.did('open')).toEqual([{ type: 'open', attempt, ask: { type: 'rear' } }])
    life.tell({ type: 'refused', attempt, fault: 'denied' })
    expect(life.phase).toEqual({ type: 'failed', fault: 'denied' })
  })

  test('an ultra-wide lens is left for the main one, once', () => {
    const wide = { id: 'u', label: 'Back Ultra Wide Camera' }
    const life = new Life().tell({ type: 'start', track: 'none' })
    const { attempt } = life.model
    const cameras = [wide, BACK]
    const nameless = cameras.map(({ id }) => ({ id, label: '' }))
    life.tell(
      { type: 'listed', attempt, cameras: nameless },
      { type: 'opened', attempt, camera: opened(wide), cameras },
    )
    expect(life.did('open')).toEqual([{ type: 'open', attempt, ask: { type: 'id', id: 'b' } }])
    life.tell({ type: 'opened', attempt, camera: opened(wide), cameras })
    expect(life.did('open')).toHaveLength(0)
  })
})

describe('streams at the wrong time', () => {
  test('one that arrives after stop is not wanted', () => {
    const life = new Life().tell({ type: 'start', track: 'none' })
    const { attempt } = life.model
    expect(wantsStream(life.model, attempt)).toBe(true)
    life.tell({ type: 'stop' })
    expect(wantsStream(life.model, attempt)).toBe(false)
    expect(life.tell({ type: 'opened', attempt, camera: opened(BACK), cameras: [BACK] }).phase).toEqual({ type: 'off' })
  })

  test('one that arrives after the time was up is welcome: the person had to answer first', () => {
    const life = new Life().tell({ type: 'start', track: 'none' }, { type: 'decoder', fault: null })
    const { attempt } = life.model
    life.tell({ type: 'listed', attempt, cameras: [BACK] }, { type: 'timeUp', timer: 'camera' })
    expect(wantsStream(life.model, attempt)).toBe(true)
    life.tell({ type: 'opened', attempt, camera: opened(BACK), cameras: [BACK] }, { type: 'picture', attempt })
    expect(life.phase).toEqual({ type: 'ready' })
  })
})

describe('recovery', () => {
  test('a track that ends is opened again, with the torch as it was', () => {
    const life = Life.scanning().tell({ type: 'torch', on: true }, { type: 'ended' })
    expect(life.phase).toEqual({ type: 'initializing', why: 'recovery' })
    life.open()
    expect(life.phase).toEqual({ type: 'ready' })
    expect(life.did('controls')).toEqual([{ type: 'controls', torch: true, zoom: null }])
  })

  test('a track that ends behind a locked screen is opened when the page is seen again', () => {
    const life = Life.scanning().tell({ type: 'hidden' }, { type: 'ended' })
    expect(life.did('list')).toHaveLength(0)
    life.tell({ type: 'shown', track: 'none' })
    expect(life.did('list')).toHaveLength(1)
    life.tell({ type: 'shown', track: 'none' })
    expect(life.did('list')).toHaveLength(0)
  })

  test('a track found muted on focus has a moment to come back, then is opened again', () => {
    const life = Life.scanning().tell({ type: 'hidden' }, { type: 'shown', track: 'muted' })
    expect(life.did('setTimer')).toEqual([{ type: 'setTimer', timer: 'muted', ms: MUTE_PATIENCE_MS }])
    life.tell({ type: 'timeUp', timer: 'muted' })
    expect(life.phase).toEqual({ type: 'initializing', why: 'recovery' })
    const back = Life.scanning().tell({ type: 'muted' }, { type: 'unmuted' })
    expect(back.did('clearTimer')).toEqual([{ type: 'clearTimer', timer: 'muted' }])
    expect(back.phase).toEqual({ type: 'scanning' })
  })

  test('a track that comes back from being muted gets its torch back, which iPhones before iOS 18 switch off', () => {
    const torch = Life.scanning().tell({ type: 'torch', on: true }, { type: 'muted' }, { type: 'unmuted' })
    expect(torch.did('controls')).toEqual([{ type: 'controls', torch: true, zoom: null }])
    expect(Life.scanning().tell({ type: 'muted' }, { type: 'unmuted' }).did('controls')).toEqual([])
  })

  test('frames that stop coming count as a dead stream, but not on a hidden page', () => {
    expect(Life.scanning().tell({ type: 'stalled' }).phase.type).toBe('initializing')
    expect(Life.scanning().tell({ type: 'hidden' }, { type: 'stalled' }).phase.type).toBe('scanning')
  })

  test('a camera that dies over and over without a picture is in use elsewhere', () => {
    const life = Life.scanning()
    for (let i = 0; i <= RECOVERIES_ALLOWED; i++) {
      life.tell({ type: 'ended' })
      const { attempt } = life.model
      life.tell({ type: 'listed', attempt, cameras: [BACK] })
      life.tell({ type: 'opened', attempt, camera: opened(BACK), cameras: [BACK] })
    }
    expect(life.phase).toEqual({ type: 'failed', fault: 'busy' })
    expect(life.tell({ type: 'shown', track: 'none' }).phase.type).toBe('initializing')
  })

  test('denied and later granted starts by itself; taken away in mid-scan is a refusal', () => {
    const life = Life.scanning().tell({ type: 'permission', state: 'denied' })
    expect(life.phase).toEqual({ type: 'failed', fault: 'denied' })
    expect(life.tell({ type: 'permission', state: 'granted' }).did('list')).toHaveLength(1)
  })

  test('a camera plugged in ends "no cameras"; the one in use pulled out is replaced', () => {
    const life = new Life().tell({ type: 'start', track: 'none' })
    life.tell({ type: 'listed', attempt: life.model.attempt, cameras: [] })
    expect(life.tell({ type: 'devices', cameras: [BACK] }).did('list')).toHaveLength(1)
    const pulled = Life.scanning().tell({ type: 'devices', cameras: [FRONT] })
    expect(pulled.phase).toEqual({ type: 'initializing', why: 'recovery' })
    const added = Life.scanning().tell({ type: 'devices', cameras: [BACK, FRONT, { id: 'x', label: 'USB' }] })
    expect(added.phase).toEqual({ type: 'scanning' })
  })

  test('the only camera pulled out is a fault of its own, and plugged in again the scanner goes on', () => {
    const life = Life.scanning().tell({ type: 'devices', cameras: [] })
    life.tell({ type: 'listed', attempt: life.model.attempt, cameras: [] })
    expect(life.phase).toEqual({ type: 'failed', fault: 'unplugged' })
    life.tell({ type: 'devices', cameras: [BACK] }).open()
    expect(life.phase).toEqual({ type: 'ready' })
  })

  test('a dead decoder is a failure, and a new one ends its waiting', () => {
    const life = Life.scanning().tell({ type: 'decoder', fault: 'scannerFailed' })
    expect(life.phase).toEqual({ type: 'failed', fault: 'scannerFailed' })
    expect(life.tell({ type: 'start', track: 'none' }).open().phase).toEqual({ type: 'initializing', why: 'start' })
    expect(life.tell({ type: 'decoder', fault: null }).phase).toEqual({ type: 'ready' })
  })
})

describe('choosing', () => {
  test('the chosen camera is remembered and asked for first', () => {
    const life = Life.scanning().tell({ type: 'choose', camera: FRONT })
    expect(life.did('remember')).toEqual([{ type: 'remember', choice: FRONT }])
    life.tell({ type: 'listed', attempt: life.model.attempt, cameras: [BACK, FRONT] })
    expect(life.did('open')).toMatchObject([{ ask: { type: 'id', id: 'f' } }])
  })

  test('a failed switch goes back to the previous camera and reports it', () => {
    const life = Life.scanning().tell({ type: 'choose', camera: FRONT })
    life.tell({ type: 'listed', attempt: life.model.attempt, cameras: [BACK, FRONT] })
    life.tell({ type: 'refused', attempt: life.model.attempt, fault: 'busy' })
    expect(life.model.notice).toBe('switchFailed')
    expect(life.did('remember')).toEqual([{ type: 'remember', choice: BACK }])
    expect(life.open().phase).toEqual({ type: 'ready' })
  })
})

describe('on iOS, where asking again may prompt again', () => {
  test('a stop keeps the stream switched off and puts the torch out, a start takes it up without asking', () => {
    const life = Life.scanning({ keepsStream: true }).tell({ type: 'torch', on: true }, { type: 'stop' })
    expect(life.did('controls')).toEqual([{ type: 'controls', torch: false, zoom: null }])
    expect(life.did('park')).toHaveLength(1)
    life.tell({ type: 'start', track: 'live' })
    expect(life.did('list')).toHaveLength(0)
    expect(life.did('unpark')).toHaveLength(1)
    expect(life.tell({ type: 'picture', attempt: life.model.attempt }).phase).toEqual({ type: 'ready' })
  })

  test('a kept stream that has ended is opened again; leaving for good closes it', () => {
    const life = Life.scanning({ keepsStream: true }).tell({ type: 'stop' }, { type: 'start', track: 'ended' })
    expect(life.did('list')).toHaveLength(1)
    expect(Life.scanning({ keepsStream: true }).tell({ type: 'dispose' }).did('close')).toHaveLength(1)
  })
})

test('judging, the pause and looking again are only for a live picture', () => {
  const life = Life.scanning()
  expect(life.tell({ type: 'judging' }).phase).toEqual({ type: 'processing' })
  expect(life.tell({ type: 'resting' }).phase).toEqual({ type: 'ready' })
  expect(life.did('clearTimer')).toEqual([{ type: 'clearTimer', timer: 'ready' }])
  expect(life.tell({ type: 'resume' }).phase).toEqual({ type: 'scanning' })
  expect(life.tell({ type: 'stop' }, { type: 'resume' }).phase).toEqual({ type: 'off' })
})

test('a picture the browser refuses to play is reported, and nothing is scanned, until it plays', () => {
  const life = Life.scanning().tell({ type: 'notice', notice: 'pauseFailed' }, READY_OVER, { type: 'resume' })
  expect(buildCameraSnapshot(life.model)).toMatchObject({
    noticeText: 'Failed to pause/resume scanner',
    isPaused: true,
    stateText: 'Initializing',
  })
  // No frame comes from a paused video: the stream is good, and it is played again.
  expect(life.tell({ type: 'stalled' }).did('play')).toHaveLength(1)
  expect(life.tell({ type: 'picture', attempt: life.model.attempt }).model).toMatchObject({
    notice: null,
    phase: { type: 'ready' },
  })
  life.tell({ type: 'notice', notice: 'pauseFailed' })
  life.tell({ type: 'ended' })
  expect(life.open().model.notice).toBeNull()
})
