import { ahead } from '../../platform/ahead.ts'
import { isIos } from '../../platform/pwa/install.ts'
import type { Decoded } from '../decode/reading.ts'
import { focusAt } from './abilities.ts'
import { readChoice } from './choice.ts'
import { createDecoderOwner } from './decoderOwner.ts'
import { createEffects, type Hands, play } from './effects.ts'
import { nextCamera } from './lenses.ts'
import { type CameraEvent, type Effect, initialModel, isLive, type Model } from './model.ts'
import { createPicture } from './picture.ts'
import { type CameraSnapshot, snapshotOf } from './snapshot.ts'
import { step } from './step.ts'
import { type CameraSource, createStreamKeeper } from './stream.ts'
import { createTimers } from './timers.ts'
import { watchDevice } from './watchDevice.ts'

export interface CameraOptions {
  /** Called after each examined frame, with the code in it or null, while the picture is live. */
  onLooked: (decoded: Decoded | null) => void
}

/** The scanner's camera: owns the stream, the decoder and the loop between them. One per page. */
export interface CameraController {
  getSnapshot(): CameraSnapshot
  subscribe(listener: () => void): () => void
  /** The element that shows the picture; null when it unmounts, which stops the camera. */
  attach(video: HTMLVideoElement | null): void
  /** Starts, and restarts after a failure (Retry). On iOS the first call must come from a tap. */
  start(): void
  stop(): void
  cycle(): void
  choose(id: string): void
  /** A scan is being judged. */
  judging(): void
  /** The pause after a scan. */
  rest(): void
  /** From now on a code that is read is a scan. */
  resume(): void
  setTorch(on: boolean): void
  setZoom(value: number): void
  /** Focuses on a point of the picture, 0..1 from left and top. */
  focusAt(point: { x: number; y: number }): void
  dismissNotice(): void
  /** Ends stream, decoder and all listeners for good. */
  dispose(): void
}

/** The media devices are missing on pages without HTTPS; asking for a camera then fails as unsupported. */
const noMedia: CameraSource = {
  enumerateDevices: () => Promise.reject(new TypeError('no media devices')),
  getUserMedia: () => Promise.reject(new TypeError('no media devices')),
}

export function createCameraController({ onLooked }: CameraOptions): CameraController {
  const media: MediaDevices | undefined = navigator.mediaDevices
  const listeners = new Set<() => void>()
  // iOS may ask for the camera again at each getUserMedia, so there a stop keeps the stream (DECISIONS 4).
  let model: Model = initialModel({ choice: readChoice(), keepsStream: isIos() })
  let snapshot = snapshotOf(model)

  function dispatch(event: CameraEvent) {
    const { model: next, effects } = step(model, event)
    if (next !== model) {
      model = next
      snapshot = snapshotOf(model)
      for (const listener of listeners) listener()
    }
    for (const effect of effects) run(effect)
  }

  const keeper = createStreamKeeper(media ?? noMedia, {
    onEnded: () => dispatch({ type: 'ended' }),
    onMuted: () => dispatch({ type: 'muted' }),
    onUnmuted: () => dispatch({ type: 'unmuted' }),
  })
  const picture = createPicture({
    isLooking: () => isLive(model),
    onStall: () => dispatch({ type: 'stalled' }),
    onLooked,
  })
  const decoders = createDecoderOwner({
    onReady: () => dispatch({ type: 'decoder', fault: null }),
    onUnable: () => dispatch({ type: 'decoder', fault: 'scannerFailed' }),
  })
  const timers = createTimers((timer) => dispatch({ type: 'timeUp', timer }))
  const hands: Hands = { keeper, picture, decoders, timers, model: () => model, dispatch }
  const doing = createEffects(hands)
  const run = <E extends Effect>(effect: E) => (doing[effect.type] as (effect: E) => unknown)(effect)
  const unwatch = watchDevice(media, {
    onShown: () => dispatch({ type: 'shown', track: keeper.life() }),
    onHidden: () => dispatch({ type: 'hidden' }),
    onDevices: async () => {
      if (model.phase.type !== 'off') dispatch({ type: 'devices', cameras: await keeper.list() })
    },
    onPermission: (state) => dispatch({ type: 'permission', state }),
  })

  /** Resolves when the camera scans, or will not. */
  const opened = () =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (model.phase.type === 'initializing') return
        listeners.delete(look)
        resolve()
      }
      listeners.add(look)
      look()
    })

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    attach(element) {
      if (element === picture.element()) return
      if (!element) dispatch({ type: 'stop' })
      picture.put(element)
      play(hands)
    },
    start() {
      decoders.need()
      dispatch({ type: 'start', track: keeper.life() })
      void ahead(opened)
    },
    stop: () => dispatch({ type: 'stop' }),
    cycle() {
      const camera = nextCamera(model.cameras, model.camera?.id ?? null)
      if (camera) dispatch({ type: 'choose', camera })
    },
    choose(id) {
      const camera = model.cameras.find((known) => known.id === id)
      if (camera) dispatch({ type: 'choose', camera })
    },
    judging: () => dispatch({ type: 'judging' }),
    rest: () => dispatch({ type: 'resting' }),
    resume: () => dispatch({ type: 'resume' }),
    setTorch: (on) => dispatch({ type: 'torch', on }),
    setZoom: (value) => dispatch({ type: 'zoom', value }),
    focusAt(point) {
      const track = keeper.track()
      if (!track) return
      focusAt(track, point).catch(() => dispatch({ type: 'notice', notice: 'controlFailed' }))
    },
    dismissNotice: () => dispatch({ type: 'notice', notice: null }),
    dispose() {
      unwatch()
      dispatch({ type: 'dispose' })
      listeners.clear()
      decoders.stop()
    },
  }
}
