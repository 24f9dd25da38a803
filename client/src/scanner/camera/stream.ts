import { abilitiesOf, keepFocusing } from './abilities.ts'
import { type Ask, type CameraInfo, constraintsOf } from './lenses.ts'
import type { OpenCamera, TrackLife } from './model.ts'

/** The part of MediaDevices needed to open a camera. */
export type CameraSource = Pick<MediaDevices, 'enumerateDevices' | 'getUserMedia'>

/** The one stream the scanner has, and what happens to it. */
export interface StreamKeeper {
  list(): Promise<CameraInfo[]>
  /** Opens a camera. If `isWanted` is false by the time the stream arrives, it is stopped and the result is null. */
  open(ask: Ask, isWanted: () => boolean): Promise<{ camera: OpenCamera; cameras: CameraInfo[] } | null>
  stream(): MediaStream | null
  track(): MediaStreamTrack | null
  life(): TrackLife
  /** Switches the stream off without ending it, and on again. */
  setEnabled(on: boolean): void
  close(): void
}

export interface TrackWatch {
  onEnded: () => void
  onMuted: () => void
  onUnmuted: () => void
}

const stopAll = (stream: MediaStream) => {
  for (const track of stream.getTracks()) track.stop()
}

async function listCameras(media: CameraSource): Promise<CameraInfo[]> {
  const devices = await media.enumerateDevices()
  return devices.filter(({ kind }) => kind === 'videoinput').map(({ deviceId, label }) => ({ id: deviceId, label }))
}

export function createStreamKeeper(media: CameraSource, watch: TrackWatch): StreamKeeper {
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
    async open(ask, isWanted) {
      const stream = await media.getUserMedia(constraintsOf(ask))
      if (!isWanted()) {
        stopAll(stream)
        return null
      }
      const video = keep(stream)
      // Continuous focus is optional: a camera without it still works.
      const focusing = keepFocusing(video).catch((error: unknown) => console.warn('No continuous focus', error))
      const [cameras] = await Promise.all([listCameras(media), focusing])
      const camera = { id: video.getSettings().deviceId ?? '', label: video.label, abilities: abilitiesOf(video) }
      return { camera, cameras }
    },
    stream: () => kept,
    track,
    life() {
      const video = track()
      if (!video) return 'none'
      if (video.readyState === 'ended') return 'ended'
      return video.muted ? 'muted' : 'live'
    },
    setEnabled(on) {
      const video = track()
      if (video) video.enabled = on
    },
    close,
  }
}
