import { CAMERA_STATES } from '../texts/scanner.ts'
import type { CameraInfo } from './lenses.ts'
import { FAULT_TEXTS, type Fault, type Model, NOTICE_TEXTS, type Phase } from './model.ts'

/** The camera as the screen shows it. The object is replaced only when something changed (useSyncExternalStore). */
export interface CameraSnapshot {
  phase: Phase
  /** SPEC's name of the state; empty when off or failed. */
  stateText: string
  /** SPEC section 8's sentence, when failed. */
  fault: { type: Fault; text: string } | null
  /** The notice is dismissible; behind it the picture runs, unless it is paused. */
  noticeText: string | null
  /** The browser has paused the picture: a tap may play it. */
  isPaused: boolean
  cameras: readonly CameraInfo[]
  cameraId: string | null
  cameraLabel: string
  canSwitch: boolean
  torch: { isThere: boolean; isOn: boolean }
  zoom: { min: number; max: number; step: number; value: number } | null
  canFocus: boolean
}

const stateText = ({ type }: Phase): string => (type === 'off' || type === 'failed' ? '' : CAMERA_STATES[type])

export function snapshotOf({ phase, notice, cameras, camera, torch, zoom }: Model): CameraSnapshot {
  const abilities = camera?.abilities
  return {
    phase,
    stateText: stateText(phase),
    fault: phase.type === 'failed' ? { type: phase.fault, text: FAULT_TEXTS[phase.fault] } : null,
    noticeText: notice && NOTICE_TEXTS[notice],
    isPaused: notice === 'pauseFailed',
    cameras,
    cameraId: camera?.id ?? null,
    cameraLabel: camera?.label ?? '',
    canSwitch: cameras.length > 1,
    torch: { isThere: abilities?.torch ?? false, isOn: (abilities?.torch ?? false) && torch },
    zoom: abilities?.zoom ? { ...abilities.zoom, value: zoom ?? abilities.zoom.min } : null,
    canFocus: abilities?.focus ?? false,
  }
}
