import { createDecoder, type Decoder } from '../decode/createDecoder.ts'
import type { Decoded } from '../decode/reading.ts'
import { focusAt, setTorch, setZoom } from './abilities.ts'
import { deviceStorage, keepChoice, readChoice } from './choice.ts'
import { faultOf } from './faults.ts'
import { runFrameLoop } from './frameLoop.ts'
import { nextCamera } from './lenses.ts'
import { type CameraEvent, type Effect, initialModel, type Model, type Timer } from './model.ts'
import { wantsStream } from './opening.ts'
import { type CameraSnapshot, snapshotOf } from './snapshot.ts'
import { step } from './step.ts'
import { createStreamKeeper, type StreamKeeper } from './stream.ts'
import { watchDevice } from './watchDevice.ts'

export interface CameraOptions {
  /** Called with each code that may count as a scan: while scanning, at most twice a second (SPEC 9). */
  onDecoded: (decoded: Decoded) => void
  makeDecoder?: (options: { onUnable: (why: string) => void }) => Decoder
}

/** The scanner's camera: it owns the stream, the decoder and the loop between them. One for a page. */
export interface CameraController {
  getSnapshot(): CameraSnapshot
  subscribe(listener: () => void): () => void
  /** The element that shows the picture; null when it goes away, which stops the camera. */
  attach(video: HTMLVideoElement | null): void
  /** Starts, and starts again after a failure (Retry). Must first be called from a tap on iOS. */
  start(): void
  stop(): void
  cycle(): void
  choose(id: string): void
  /** A scan is being judged: no codes are looked for. */
  judging(): void
  /** The pause after a scan: the picture goes on, no codes are looked for. */
  rest(): void
  /** Looks for codes again. */
  resume(): void
  setTorch(on: boolean): void
  setZoom(value: number): void
  /** Focuses on a point of the picture, 0..1 from left and top. */
  focusAt(point: { x: number; y: number }): void
  dismissNotice(): void
  /** Ends stream, decoder and all listening for good. */
  dispose(): void
}

/** iOS may ask for the camera again at each getUserMedia, so there a stop keeps the stream (DECISIONS 4). */
const keepsStream = () =>
  /iP(hone|ad|od)/.test(navigator.userAgent) || (/Mac/.test(navigator.platform) && navigator.maxTouchPoints > 1)

/** The media devices are missing on pages without HTTPS; asking for a camera then fails as unsupported. */
const noMedia = {
  enumerateDevices: () => Promise.reject(new TypeError('no media devices')),
  getUserMedia: () => Promise.reject(new TypeError('no media devices')),
} as unknown as MediaDevices

export function createCameraController({ onDecoded, makeDecoder = createDecoder }: CameraOptions): CameraController {
  const media = (navigator as { mediaDevices?: MediaDevices }).mediaDevices ?? noMedia
  const listeners = new Set<() => void>()
  const timers = new Map<Timer, ReturnType<typeof setTimeout>>()
  let model: Model = initialModel({ choice: readChoice(deviceStorage()), keepsStream: keepsStream() })
  let snapshot = snapshotOf(model)
  let video: HTMLVideoElement | null = null
  let decoder: Decoder | null = null
  let endLoop = () => {}

  const keeper: StreamKeeper = createStreamKeeper(media, {
    onEnded: () => dispatch({ type: 'ended' }),
    onMuted: () => dispatch({ type: 'muted' }),
    onUnmuted: () => dispatch({ type: 'unmuted' }),
  })

  function dispatch(event: CameraEvent) {
    const { model: next, effects } = step(model, event)
    if (next !== model) {
      model = next
      snapshot = snapshotOf(model)
      for (const listener of listeners) listener()
    }
    for (const effect of effects) run(effect)
  }

  function clear(timer: Timer) {
    clearTimeout(timers.get(timer))
    timers.delete(timer)
  }

  function close() {
    endLoop()
    keeper.close()
    if (video) video.srcObject = null
  }

  async function list(attempt: number) {
    try {
      dispatch({ type: 'listed', attempt, cameras: await keeper.list() })
    } catch (error) {
      dispatch({ type: 'refused', attempt, fault: faultOf(error) })
    }
  }

  async function open({ attempt, ask }: Extract<Effect, { do: 'open' }>) {
    try {
      const opened = await keeper.open(ask, () => wantsStream(model, attempt))
      if (opened) dispatch({ type: 'opened', attempt, ...opened })
    } catch (error) {
      dispatch({ type: 'refused', attempt, fault: faultOf(error) })
    }
  }

  /** Shows the stream and watches its frames. Playing may be refused until the next tap; the stall watch sees to that. */
  function play() {
    const stream = keeper.stream()
    if (!video || !stream || !decoder) return
    if (video.srcObject !== stream) {
      endLoop()
      video.srcObject = stream
      const { attempt } = model
      endLoop = runFrameLoop({
        video,
        decoder,
        isLooking: () => model.phase.at === 'scanning',
        onPicture: () => !model.hasPicture && dispatch({ type: 'picture', attempt }),
        onStall: () => dispatch({ type: 'stalled' }),
        onDecoded,
      })
    }
    video.play().catch((error: unknown) => console.warn('The picture does not play yet', error))
  }

  async function applyControls({ torch, zoom }: { torch: boolean; zoom: number | null }) {
    const track = keeper.track()
    const abilities = model.camera?.abilities
    if (!track || !abilities) return
    try {
      // A camera may take one set of advanced constraints at a time, so zoom first and the torch last.
      if (abilities.zoom && zoom !== null) await setZoom(track, zoom)
      if (abilities.torch) await setTorch(track, torch)
    } catch (error) {
      console.warn('Camera control refused', error)
      dispatch({ type: 'notice', notice: 'controlFailed' })
    }
  }

  function park() {
    endLoop()
    keeper.setEnabled(false)
    if (video) video.srcObject = null
  }

  function unpark() {
    keeper.setEnabled(true)
    play()
  }

  function setTimer({ timer, ms }: Extract<Effect, { do: 'setTimer' }>) {
    clear(timer)
    timers.set(
      timer,
      setTimeout(() => dispatch({ type: 'timeUp', timer }), ms),
    )
  }

  const doing: { [E in Effect as E['do']]: (effect: E) => unknown } = {
    list: ({ attempt }) => list(attempt),
    open,
    close,
    park,
    unpark,
    play,
    setTimer,
    clearTimer: ({ timer }) => clear(timer),
    remember: ({ choice }) => keepChoice(deviceStorage(), choice),
    controls: applyControls,
  }
  const run = <E extends Effect>(effect: E) => (doing[effect.do] as (effect: E) => unknown)(effect)

  function needDecoder() {
    if (decoder) return
    let made: Decoder | null = null
    const unable = (why: unknown) => {
      if (made === null || decoder !== made) return
      console.warn('No decoder', why)
      decoder = null
      dispatch({ type: 'decoder', fault: 'scannerFailed' })
    }
    made = makeDecoder({ onUnable: unable })
    decoder = made
    made.ready.then(() => decoder === made && dispatch({ type: 'decoder', fault: null }), unable)
  }

  const unwatch = watchDevice(media, {
    onShown: () => dispatch({ type: 'shown', track: keeper.life() }),
    onHidden: () => dispatch({ type: 'hidden' }),
    onDevices: async () => {
      if (model.phase.at !== 'off') dispatch({ type: 'devices', cameras: await keeper.list() })
    },
    onPermission: (state) => dispatch({ type: 'permission', state }),
  })

  return {
    getSnapshot: () => snapshot,
    subscribe(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    attach(element) {
      if (element === video) return
      if (!element) dispatch({ type: 'stop' })
      video = element
      if (!video) return
      // Without these three, iOS shows its own player or none.
      video.muted = true
      video.playsInline = true
      video.autoplay = true
      play()
    },
    start() {
      needDecoder()
      dispatch({ type: 'start', track: keeper.life() })
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
      decoder?.stop()
      decoder = null
    },
  }
}
