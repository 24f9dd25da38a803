/** What the test asks of the camera of a page. */
export interface CameraSetup {
  /** Labels of the cameras, in the order the browser lists them. Empty: no camera. */
  readonly labels: readonly string[]
  /** What getUserMedia fails with, as a DOMException of this name, such as NotAllowedError. */
  readonly failure: string | null
  /** Whether the first camera has a torch. */
  readonly torch: boolean
  /** Whether the first camera can zoom. */
  readonly zoom: boolean
  /** Ms from picture to picture. */
  readonly everyMs: number
}

export const DEFAULT_CAMERA: CameraSetup = {
  labels: ['Back camera', 'Front camera'],
  failure: null,
  torch: false,
  zoom: false,
  everyMs: 1_000,
}

export interface CameraControl {
  show(modules: readonly string[] | null): void
  /** Holds a picture (a data URL), such as another screen's, before the camera instead of a drawn code. */
  showPicture(url: string | null): Promise<void>
  /** Ends the tracks as a locked phone does. */
  cutOff(): void
  /** What the page did with the camera. */
  readonly seen: { opened: number; torch: boolean; zoom: number; open: number; deviceIds: string[] }
}

declare global {
  interface Window {
    /** The control of the pretended camera; only in browser tests. */
    garbaCamera: CameraControl
    /** The modules shown at this moment: a page that is loaded later starts with them. */
    garbaCameraShows(): Promise<string[] | null>
  }
}

/**
 * Runs in the page before its own code and replaces the camera with a canvas at 1280 x 720. It must be whole in itself:
 * Playwright sends its text.
 */
export function installCamera(setup: CameraSetup): void {
  const canvas = document.createElement('canvas')
  canvas.width = 1280
  canvas.height = 720
  const context = canvas.getContext('2d')
  let modules: readonly string[] | null = null
  let picture: ImageBitmap | null = null
  let tracks: MediaStreamTrack[] = []
  const seen = { opened: 0, torch: false, zoom: 1, deviceIds: [] as string[], open: 0 }

  const draw = () => {
    if (!context) return
    // A little unrest, as a hand has it: no frame is the same as the last.
    const shift = Math.round(3 * Math.sin(performance.now() / 200))
    context.fillStyle = `rgb(${90 + shift} 85 80)`
    context.fillRect(0, 0, canvas.width, canvas.height)
    if (picture !== null) {
      const scale = Math.min(canvas.width / picture.width, (canvas.height - 20) / picture.height)
      const [width, height] = [picture.width * scale, picture.height * scale]
      context.drawImage(picture, (canvas.width - width) / 2 + shift, (canvas.height - height) / 2, width, height)
      return
    }
    if (modules === null) return
    const size = Math.floor(560 / (modules.length + 8))
    const side = size * (modules.length + 8)
    const left = Math.round((canvas.width - side) / 2) + shift
    const top = Math.round((canvas.height - side) / 2)
    context.fillStyle = '#fff'
    context.fillRect(left, top, side, side)
    context.fillStyle = '#000'
    modules.forEach((row, y) => {
      for (let x = 0; x < row.length; x++) {
        if (row[x] === '1') context.fillRect(left + (x + 4) * size, top + (y + 4) * size, size, size)
      }
    })
  }

  const idOf = (index: number) => `camera-${index}`
  const chosen = (video: MediaTrackConstraints): number => {
    const wanted = JSON.stringify(video.deviceId ?? '')
    const byId = setup.labels.findIndex((_, index) => wanted.includes(idOf(index)))
    if (byId >= 0) return byId
    const rear = JSON.stringify(video.facingMode ?? '').includes('environment')
    return Math.max(
      0,
      setup.labels.findIndex((label) => /back|rear/i.test(label) === rear),
    )
  }

  const dress = (track: MediaStreamTrack, index: number) => {
    const facingMode = /back|rear/i.test(setup.labels[index] ?? '') ? 'environment' : 'user'
    const settings = { deviceId: idOf(index), facingMode, width: canvas.width, height: canvas.height }
    track.getSettings = () => settings
    const torch = setup.torch && index === 0 ? { torch: true } : {}
    const zoom = setup.zoom && index === 0 ? { zoom: { min: 1, max: 5, step: 0.5 } } : {}
    track.getCapabilities = () => ({ deviceId: idOf(index), facingMode: [facingMode], ...torch, ...zoom })
    track.applyConstraints = async (constraints) => {
      const flat = JSON.stringify(constraints ?? {})
      if (flat.includes('"torch"')) seen.torch = flat.includes('"torch":true')
      seen.zoom = Number(/"zoom":([\d.]+)/.exec(flat)?.[1] ?? seen.zoom)
    }
    Object.defineProperty(track, 'label', { value: setup.labels[index] })
  }

  const media = navigator.mediaDevices
  // WebKit forgets what was put on an object that nothing holds.
  Object.assign(window, { garbaMedia: media })
  media.enumerateDevices = async () =>
    setup.labels.map((label, index) => {
      const info = { deviceId: idOf(index), groupId: 'test', kind: 'videoinput' as const, label }
      return { ...info, toJSON: () => info }
    })
  media.getUserMedia = async (constraints) => {
    if (setup.failure !== null) throw new DOMException('The test refuses the camera', setup.failure)
    if (setup.labels.length === 0) throw new DOMException('Requested device not found', 'NotFoundError')
    const video = typeof constraints?.video === 'object' ? constraints.video : {}
    const index = chosen(video)
    const stream = canvas.captureStream(20)
    for (const track of stream.getVideoTracks()) dress(track, index)
    tracks = [...tracks, ...stream.getVideoTracks()]
    // A video plays from its first picture on.
    draw()
    seen.opened += 1
    seen.deviceIds.push(idOf(index))
    return stream
  }

  window.garbaCamera = {
    show: (next) => {
      modules = next
    },
    showPicture: async (url) => {
      // Not fetch: the page's own policy forbids data addresses there.
      const bytes = url === null ? null : Uint8Array.from(atob(url.slice(url.indexOf(',') + 1)), (c) => c.charCodeAt(0))
      picture = bytes === null ? null : await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    },
    cutOff: () => {
      for (const track of tracks) {
        track.stop()
        track.dispatchEvent(new Event('ended'))
      }
    },
    get seen() {
      return { ...seen, open: tracks.filter((track) => track.readyState === 'live').length }
    },
  }
  setInterval(draw, setup.everyMs)
  void window.garbaCameraShows().then((now) => {
    modules = now
  })
}
