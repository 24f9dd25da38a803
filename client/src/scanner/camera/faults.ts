import { CAMERA } from '../texts/scanner.ts'

/** Why there is no picture to scan. */
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

/** SPEC section 8, Camera. A denied or busy camera has no text of its own there. */
export const FAULT_TEXTS = {
  unsupported: CAMERA.accessFailed,
  none: CAMERA.none,
  noneDetected: CAMERA.noneDetected,
  unplugged: CAMERA.none,
  denied: CAMERA.accessFailed,
  busy: CAMERA.accessFailed,
  unfit: CAMERA.accessFailed,
  cameraTimeout: CAMERA.cameraTimeout,
  scannerTimeout: CAMERA.scannerTimeout,
  scannerFailed: CAMERA.scannerFailed,
  failed: CAMERA.accessFailed,
} as const satisfies Record<Fault, string>

/** What failed while the picture keeps running. */
export type Notice = 'controlFailed' | 'switchFailed' | 'pauseFailed'
export const NOTICE_TEXTS = {
  controlFailed: CAMERA.controlFailed,
  switchFailed: CAMERA.switchFailed,
  pauseFailed: CAMERA.pauseFailed,
} as const satisfies Record<Notice, string>

const BY_NAME: Readonly<Record<string, Fault>> = {
  NotAllowedError: 'denied',
  SecurityError: 'denied',
  PermissionDeniedError: 'denied',
  NotFoundError: 'none',
  DevicesNotFoundError: 'none',
  NotReadableError: 'busy',
  TrackStartError: 'busy',
  AbortError: 'busy',
  OverconstrainedError: 'unfit',
  ConstraintNotSatisfiedError: 'unfit',
  TypeError: 'unsupported',
}

/** The fault behind an error of getUserMedia. */
export const faultOf = (error: unknown): Fault =>
  (error instanceof Error || error instanceof DOMException ? BY_NAME[error.name] : undefined) ?? 'failed'

/** Faults of one camera that another one may not have. */
export const isOfOneCamera = (fault: Fault): boolean => fault === 'unfit' || fault === 'busy' || fault === 'none'
