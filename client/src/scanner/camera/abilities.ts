import type { Abilities } from './model.ts'

/** The camera controls of the Image Capture draft, missing in TypeScript's DOM types. */
interface CameraCapabilities extends MediaTrackCapabilities {
  torch?: boolean
  zoom?: { min: number; max: number; step?: number }
  focusMode?: readonly string[]
  pointsOfInterest?: unknown
}
interface CameraConstraintSet extends MediaTrackConstraintSet {
  torch?: boolean
  zoom?: number
  focusMode?: string
  pointsOfInterest?: readonly { x: number; y: number }[]
}

const capabilitiesOf = (track: MediaStreamTrack): CameraCapabilities =>
  'getCapabilities' in track ? track.getCapabilities() : {}

const apply = (track: MediaStreamTrack, set: CameraConstraintSet) =>
  track.applyConstraints({ advanced: [set] } as MediaTrackConstraints)

/** What this camera can do; nothing if the browser does not say (Firefox). */
export function abilitiesOf(track: MediaStreamTrack): Abilities {
  const { torch, zoom, focusMode } = capabilitiesOf(track)
  return {
    torch: torch === true,
    zoom: zoom && zoom.max > zoom.min ? { min: zoom.min, max: zoom.max, step: zoom.step || 0.1 } : null,
    focus: focusMode?.some((mode) => mode === 'single-shot' || mode === 'continuous') ?? false,
  }
}

/** Codes are read best with continuous focus; cameras without it stay as they are. */
export async function keepFocusing(track: MediaStreamTrack): Promise<void> {
  if (capabilitiesOf(track).focusMode?.includes('continuous')) await apply(track, { focusMode: 'continuous' })
}

export const setTorch = (track: MediaStreamTrack, torch: boolean): Promise<void> => apply(track, { torch })
export const setZoom = (track: MediaStreamTrack, zoom: number): Promise<void> => apply(track, { zoom })

/** Focuses where the person tapped: x and y from 0 (left, top) to 1, as the camera sees it. */
export async function focusAt(track: MediaStreamTrack, point: { x: number; y: number }): Promise<void> {
  const { focusMode } = capabilitiesOf(track)
  if (focusMode?.includes('single-shot')) {
    await apply(track, { focusMode: 'single-shot', pointsOfInterest: [point] })
  } else if (focusMode?.includes('continuous')) {
    await apply(track, { focusMode: 'continuous', pointsOfInterest: [point] })
  }
}
