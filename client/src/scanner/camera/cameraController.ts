import { loadAhead } from '../../platform/ahead.ts'
import { isIos } from '../../platform/pwa/install.ts'
import { local } from '../../platform/store/local.ts'
import { createDecoder, type Decoder } from '../decode/createDecoder.ts'
import type { DecodedCode } from '../decode/reading.ts'
import { type Ask, buildCameraConstraints, type CameraChoice, type CameraInfo, nextCamera } from './lenses.ts'
import {
  buildCameraSnapshot,
  type CameraEvent,
  classifyCameraError,
  type Effect,
  initialModel,
  isLive,
  type Model,
  type OpenCamera,
  type Timer,
  type TrackLife,
} from './model.ts'
import { wantsStream } from './opening.ts'
import { createPicture, focusAt, getCameraAbilities, keepFocusing, type Picture, setTorch, setZoom } from './picture.ts'
import { stepCamera } from './step.ts'

export type CameraController = ReturnType<typeof createCameraController>

/** The media devices are missing on pages without HTTPS; asking for a camera then fails as unsupported. */
const noMedia: CameraSource = {
  enumerateDevices: () => Promise.reject(new TypeError('no media devices')),
  getUserMedia: () => Promise.reject(new TypeError('no media devices')),
}

/**
 * The scanner's camera: owns the stream, the decoder and the loop between them. One per page. `onLooked` is called after
 * each examined frame, with the code in it or null, while the picture is live.
 */
export function createCameraController({ onLooked }: { onLooked: (decoded: DecodedCode | null) => void }) {
  const media: MediaDevices | undefined = navigator.mediaDevices
  const listeners = new Set<() => void>()
  let model: Model = initialModel({ choice: local.readJson<CameraChoice>(KEY), keepsStream: isIos() })
  let snapshot = buildCameraSnapshot(model)

  function dispatch(event: CameraEvent) {
    const { model: next, effects } = stepCamera(model, event)
    if (next !== model) {
      model = next
      snapshot = buildCameraSnapshot(model)
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
    onRest: (on) => dispatch({ type: 'rest', on }),
  })
  const decoders = createDecoderOwner({
    onReady: () => dispatch({ type: 'decoder', fault: null }),
    onUnable: () => dispatch({ type: 'decoder', fault: 'scannerFailed' }),
  })
  const timers = createTimers((timer) => dispatch({ type: 'timeUp', timer }))
  const parts: CameraParts = { keeper, picture, decoders, timers, model: () => model, dispatch }
  const doing = createEffects(parts)
  const run = <E extends Effect>(effect: E) => (doing[effect.type] as (effect: E) => unknown)(effect)
  const unwatch = watchDevice(media, {
    onShown: () => dispatch({ type: 'shown', track: keeper.life() }),
    onHidden: () => dispatch({ type: 'hidden' }),
    onTouched: () => picture.wake(),
    onDevices: async () => {
      if (model.phase.type !== 'off') dispatch({ type: 'devices', cameras: await keeper.list() })
    },
    onPermission: (state) => dispatch({ type: 'permission', state }),
  })

  const opened = () =>
    new Promise<void>((resolve) => {
      const resolveWhenOpened = () => {
        if (model.phase.type === 'initializing') return
        listeners.delete(resolveWhenOpened)
        resolve()
      }
      listeners.add(resolveWhenOpened)
      resolveWhenOpened()
    })

  return {
    getSnapshot: () => snapshot,
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    opened,
    /** The element that shows the picture; null when it unmounts, which stops the camera. */
    attach(element: HTMLVideoElement | null) {
      if (element === picture.element()) return
      if (!element) dispatch({ type: 'stop' })
      picture.put(element)
      play(parts)
    },
    /** Starts, and restarts after a failure (Retry). On iOS the first call must come from a tap. */
    start() {
      picture.wake()
      decoders.need()
      dispatch({ type: 'start', track: keeper.life() })
      void loadAhead(opened)
    },
    stop: () => dispatch({ type: 'stop' }),
    cycle() {
      const camera = nextCamera(model.cameras, model.camera?.id ?? null)
      if (camera) dispatch({ type: 'choose', camera })
    },
    choose(id: string) {
      const camera = model.cameras.find((known) => known.id === id)
      if (camera) dispatch({ type: 'choose', camera })
    },
    judging: () => dispatch({ type: 'judging' }),
    rest: () => dispatch({ type: 'resting' }),
    resume: () => dispatch({ type: 'resume' }),
    setTorch: (on: boolean) => dispatch({ type: 'torch', on }),
    setZoom: (value: number) => dispatch({ type: 'zoom', value }),
    /** Focuses on a point of the picture, 0..1 from left and top. */
    focusAt(point: { x: number; y: number }) {
      const track = keeper.track()
      if (!track) return
      focusAt(track, point).catch(() => dispatch({ type: 'notice', notice: 'controlFailed' }))
    },
    /** Plays a picture that the browser has paused. Call it from a tap, because some browsers require that. */
    play: () => play(parts),
    dismissNotice: () => dispatch({ type: 'notice', notice: null }),
    dispose() {
      unwatch()
      dispatch({ type: 'dispose' })
      listeners.clear()
      decoders.stop()
    },
  }
}

interface DeviceWatch {
  onShown: () => void
  onHidden: () => void
  onTouched: () => void
  onDevices: () => Promise<void>
  onPermission: (state: PermissionState) => void
}

/** Reports changes of the camera permission, if the browser can (Firefox and older Safari cannot). */
async function watchPermission(report: (state: PermissionState) => void, signal: AbortSignal) {
  try {
    const status = await navigator.permissions.query({ name: 'camera' as PermissionName })
    if (!signal.aborted) status.addEventListener('change', () => report(status.state), { signal })
  } catch (error) {
    console.info('This browser does not report camera permissions', error)
  }
}

/**
 * Listens for everything after which a camera may be dead or alive again (pageshow, focus), because phones may end or
 * mute tracks behind a locked screen without an event. Returns a function that stops listening.
 */
function watchDevice(media: MediaDevices | undefined, watch: DeviceWatch): () => void {
  const ending = new AbortController()
  const { signal } = ending
  const whenVisible = () => (document.visibilityState === 'visible' ? watch.onShown() : watch.onHidden())
  document.addEventListener('visibilitychange', whenVisible, { signal })
  window.addEventListener('pageshow', whenVisible, { signal })
  window.addEventListener('focus', whenVisible, { signal })
  window.addEventListener('pagehide', watch.onHidden, { signal })
  for (const touch of ['pointerdown', 'keydown'])
    window.addEventListener(touch, watch.onTouched, { signal, capture: true })
  media?.addEventListener('devicechange', () => void watch.onDevices().catch(console.warn), { signal })
  void watchPermission(watch.onPermission, signal)
  return () => ending.abort()
}

interface CameraParts {
  keeper: ReturnType<typeof createStreamKeeper>
  picture: Picture
  decoders: ReturnType<typeof createDecoderOwner>
  timers: ReturnType<typeof createTimers>
  model: () => Model
  dispatch: (event: CameraEvent) => void
}

type EffectHandlers = { [E in Effect as E['type']]: (effect: E) => unknown }

function createEffects(parts: CameraParts): EffectHandlers {
  const { keeper, picture, timers, dispatch } = parts
  return {
    list: ({ attempt }) => list(parts, attempt),
    open: (effect) => open(parts, effect),
    close() {
      picture.clear()
      keeper.close()
    },
    park() {
      picture.clear()
      keeper.setEnabled(false)
    },
    unpark() {
      keeper.setEnabled(true)
      play(parts)
    },
    play: () => play(parts),
    setTimer: ({ timer, ms }) => timers.set(timer, ms),
    clearTimer: ({ timer }) => timers.clear(timer),
    remember: ({ choice }) => local.writeJson(KEY, choice),
    controls: (controls) =>
      applyControls(parts, controls).catch((error: unknown) => {
        console.warn('Camera control refused', error)
        dispatch({ type: 'notice', notice: 'controlFailed' })
      }),
  }
}

async function list({ keeper, dispatch }: CameraParts, attempt: number) {
  try {
    dispatch({ type: 'listed', attempt, cameras: await keeper.list() })
  } catch (error) {
    dispatch({ type: 'refused', attempt, fault: classifyCameraError(error) })
  }
}

async function open({ keeper, model, dispatch }: CameraParts, { attempt, ask }: Extract<Effect, { type: 'open' }>) {
  try {
    const opened = await keeper.open(ask, () => wantsStream(model(), attempt))
    if (opened) dispatch({ type: 'opened', attempt, ...opened })
  } catch (error) {
    dispatch({ type: 'refused', attempt, fault: classifyCameraError(error) })
  }
}

/** Does nothing until both the stream and the decoder are there; whichever comes last calls this again. */
function play({ keeper, picture, decoders, model, dispatch }: CameraParts) {
  const [stream, decoder] = [keeper.stream(), decoders.current()]
  if (!stream || !decoder) return
  const { attempt } = model()
  picture.show({
    stream,
    decoder,
    onPicture: () => !model().hasPicture && dispatch({ type: 'picture', attempt }),
    onStill: (error) => {
      console.warn('The picture is not playing', error)
      dispatch({ type: 'notice', notice: 'pauseFailed' })
    },
  })
}

async function applyControls({ keeper, model }: CameraParts, { torch, zoom }: { torch: boolean; zoom: number | null }) {
  const track = keeper.track()
  const abilities = model().camera?.abilities
  if (!track || !abilities) return
  // Some cameras accept one set of advanced constraints at a time, so zoom goes first and the torch last.
  if (abilities.zoom && zoom !== null) await setZoom(track, zoom)
  if (abilities.torch) await setTorch(track, torch)
}

const KEY = 'garba.scanner.camera'

/** Each timer runs at most once at a time: setting a running timer restarts it. */
function createTimers(onTimeUp: (timer: Timer) => void) {
  const running = new Map<Timer, ReturnType<typeof setTimeout>>()
  const clear = (timer: Timer) => clearTimeout(running.get(timer))
  return {
    set(timer: Timer, ms: number) {
      clear(timer)
      running.set(
        timer,
        setTimeout(() => onTimeUp(timer), ms),
      )
    },
    clear,
  }
}

/** The decoder in use; answers of a stopped or replaced decoder are ignored. */
function createDecoderOwner({ onReady, onUnable }: Record<'onReady' | 'onUnable', () => void>) {
  let current: Decoder | null = null
  return {
    current: () => current,
    need() {
      if (current) return
      let made: Decoder | null = null
      const unable = (why: unknown) => {
        if (made === null || current !== made) return
        console.warn('No decoder', why)
        current = null
        onUnable()
      }
      made = createDecoder({ onUnable: unable })
      current = made
      made.ready.then(() => current === made && onReady(), unable)
    },
    stop() {
      current?.stop()
      current = null
    },
  }
}

type CameraSource = Pick<MediaDevices, 'enumerateDevices' | 'getUserMedia'>

const stopAll = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

async function listCameras(media: CameraSource): Promise<CameraInfo[]> {
  const devices = await media.enumerateDevices()
  return devices.filter(({ kind }) => kind === 'videoinput').map(({ deviceId, label }) => ({ id: deviceId, label }))
}

function createStreamKeeper(media: CameraSource, watch: Record<'onEnded' | 'onMuted' | 'onUnmuted', () => void>) {
  let kept: MediaStream | null = null
  const track = () => kept?.getVideoTracks()[0] ?? null

  function close() {
    if (kept) stopAll(kept)
    kept = null
  }

  function keep(stream: MediaStream): MediaStreamTrack {
    close()
    const [video] = stream.getVideoTracks()
    if (!video) throw new DOMException('The stream has no picture', 'NotFoundError')
    kept = stream
    const whileKept = (act: () => void) => () => {
      if (kept === stream) act()
    }
    video.addEventListener('ended', whileKept(watch.onEnded))
    video.addEventListener('mute', whileKept(watch.onMuted))
    video.addEventListener('unmute', whileKept(watch.onUnmuted))
    return video
  }

  return {
    list: () => listCameras(media),
    /** Resolves to null and stops the stream if the camera is no longer wanted when the stream arrives. */
    async open(ask: Ask, isWanted: () => boolean): Promise<{ camera: OpenCamera; cameras: CameraInfo[] } | null> {
      const stream = await media.getUserMedia(buildCameraConstraints(ask))
      if (!isWanted()) {
        stopAll(stream)
        return null
      }
      const video = keep(stream)
      // Continuous focus is optional: a camera without it still works.
      const focusing = keepFocusing(video).catch((error: unknown) => console.warn('No continuous focus', error))
      const [cameras] = await Promise.all([listCameras(media), focusing])
      const camera = {
        id: video.getSettings().deviceId ?? '',
        label: video.label,
        abilities: getCameraAbilities(video),
      }
      return { camera, cameras }
    },
    stream: () => kept,
    track,
    life(): TrackLife {
      const video = track()
      if (!video) return 'none'
      if (video.readyState === 'ended') return 'ended'
      return video.muted ? 'muted' : 'live'
    },
    setEnabled(on: boolean) {
      const video = track()
      if (video) video.enabled = on
    },
    close,
  }
}
