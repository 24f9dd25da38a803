import { CAMERA, CAMERA_STATES } from '../texts/scanner.ts'
import type { Ask, CameraChoice, CameraInfo } from './lenses.ts'

export interface Abilities {
  torch: boolean
  zoom: { min: number; max: number; step: number } | null
  focus: boolean
}

export interface OpenCamera extends CameraInfo {
  abilities: Abilities
}

/**
 * The camera's state. The screen names four of them: `initializing`, `ready` (there is a picture: before scanning and
 * in the pause after a scan), `scanning` and `processing` (a scan is being judged).
 */
export type Phase =
  | { type: 'off' }
  | { type: 'initializing'; why: 'start' | 'switch' | 'recovery' }
  | { type: 'ready' }
  | { type: 'scanning' }
  | { type: 'processing' }
  | { type: 'failed'; fault: Fault }

export interface Model {
  phase: Phase
  attempt: number
  /** Requests not yet tried in this attempt, the current request first. */
  asks: readonly Ask[]
  cameras: readonly CameraInfo[]
  camera: OpenCamera | null
  choice: CameraChoice | null
  before: string | null
  /** A better lens is looked for once; after that any lens is accepted. */
  isLensSettled: boolean
  hasPicture: boolean
  recoveries: number
  hasDecoder: boolean
  isVisible: boolean
  /** The stream is kept, switched off, after a stop: on iOS each getUserMedia may ask the person again. */
  isParked: boolean
  keepsStream: boolean
  torch: boolean
  zoom: number | null
  /** Nobody has come for a while: the picture is dimmed and few frames are read. */
  isResting: boolean
  notice: Notice | null
}

export type TrackLife = 'live' | 'muted' | 'ended' | 'none'

export type CameraEvent =
  | { type: 'start'; track: TrackLife }
  | { type: 'stop' }
  | { type: 'dispose' }
  | { type: 'listed'; attempt: number; cameras: readonly CameraInfo[] }
  | { type: 'opened'; attempt: number; camera: OpenCamera; cameras: readonly CameraInfo[] }
  | { type: 'refused'; attempt: number; fault: Fault }
  | { type: 'picture'; attempt: number }
  | { type: 'decoder'; fault: 'scannerFailed' | null }
  | { type: 'timeUp'; timer: Timer }
  | { type: 'ended' }
  | { type: 'muted' }
  | { type: 'unmuted' }
  | { type: 'stalled' }
  | { type: 'shown'; track: TrackLife }
  | { type: 'hidden' }
  | { type: 'devices'; cameras: readonly CameraInfo[] }
  | { type: 'permission'; state: PermissionState }
  | { type: 'choose'; camera: CameraInfo }
  | { type: 'judging' }
  | { type: 'resting' }
  | { type: 'resume' }
  | { type: 'torch'; on: boolean }
  | { type: 'zoom'; value: number }
  | { type: 'notice'; notice: Notice | null }
  | { type: 'rest'; on: boolean }

/**
 * camera: 10 s to a picture; scanner: 8 s to a decoder; muted: how long a muted track may take to come back;
 * ready: how long the picture is shown before scanning starts.
 */
export type Timer = 'camera' | 'scanner' | 'muted' | 'ready'

export type Effect =
  | { type: 'list'; attempt: number }
  | { type: 'open'; attempt: number; ask: Ask }
  | { type: 'close' }
  | { type: 'park' }
  | { type: 'unpark'; attempt: number }
  | { type: 'play' }
  | { type: 'setTimer'; timer: Timer; ms: number }
  | { type: 'clearTimer'; timer: Timer }
  | { type: 'remember'; choice: CameraChoice }
  | { type: 'controls'; torch: boolean; zoom: number | null }

export interface Step {
  model: Model
  effects: readonly Effect[]
}

export const keepModel = (model: Model): Step => ({ model, effects: [] })

export const isLive = ({ phase }: Model): boolean =>
  phase.type === 'ready' || phase.type === 'scanning' || phase.type === 'processing'

export function initialModel(options: { choice: CameraChoice | null; keepsStream: boolean }): Model {
  return {
    ...options,
    phase: { type: 'off' },
    attempt: 0,
    asks: [],
    cameras: [],
    camera: null,
    before: null,
    isLensSettled: false,
    hasPicture: false,
    recoveries: 0,
    hasDecoder: false,
    isVisible: true,
    isParked: false,
    torch: false,
    zoom: null,
    isResting: false,
    notice: null,
  }
}

export type Fault =
  | 'unsupported'
  | 'none'
  | 'noneDetected'
  | 'unplugged'
  | 'denied'
  | 'busy'
  | 'unfit'
  | 'cameraTimeout'
  | 'scannerTimeout'
  | 'scannerFailed'
  | 'failed'

/** The spec has no text of its own for a denied or busy camera. */
const FAULT_TEXTS = {
  unsupported: 'accessFailed',
  none: 'none',
  noneDetected: 'noneDetected',
  unplugged: 'none',
  denied: 'accessFailed',
  busy: 'accessFailed',
  unfit: 'accessFailed',
  cameraTimeout: 'cameraTimeout',
  scannerTimeout: 'scannerTimeout',
  scannerFailed: 'scannerFailed',
  failed: 'accessFailed',
} as const satisfies Record<Fault, keyof typeof CAMERA>

export type Notice = 'controlFailed' | 'switchFailed' | 'pauseFailed'
const BY_NAME: Readonly<Record<string, Fault>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  NotReadableError: 'busy',
  AbortError: 'busy',
  OverconstrainedError: 'unfit',
  TypeError: 'unsupported',
}

export const classifyCameraError = (error: unknown): Fault =>
  (error instanceof Error || error instanceof DOMException ? BY_NAME[error.name] : undefined) ?? 'failed'

export const isOfOneCamera = (fault: Fault): boolean => fault === 'unfit' || fault === 'busy' || fault === 'none'

export type CameraSnapshot = ReturnType<typeof buildCameraSnapshot>

const stateText = ({ type }: Phase): string => (type === 'off' || type === 'failed' ? '' : CAMERA_STATES[type])

/** The camera as the screen shows it. The object is replaced only when something changed (useSyncExternalStore). */
export function buildCameraSnapshot({ phase, notice, cameras, camera, torch, zoom, isResting }: Model) {
  const abilities = camera?.abilities
  return {
    phase,
    stateText: stateText(phase),
    fault: phase.type === 'failed' ? { type: phase.fault, text: CAMERA[FAULT_TEXTS[phase.fault]] } : null,
    noticeText: notice && CAMERA[notice],
    isPaused: notice === 'pauseFailed',
    cameras,
    cameraId: camera?.id ?? null,
    cameraLabel: camera?.label ?? '',
    canSwitch: cameras.length > 1,
    torch: { isThere: abilities?.torch ?? false, isOn: (abilities?.torch ?? false) && torch },
    zoom: abilities?.zoom ? { ...abilities.zoom, value: zoom ?? abilities.zoom.min } : null,
    canFocus: abilities?.focus ?? false,
    isResting,
  }
}
