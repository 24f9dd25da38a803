import { READINESS } from '@garba/shared/messages/readiness'
import type { CameraController } from '../camera/cameraController.ts'
import { absent, bad, good, type Result, weak } from './result.ts'

const START_MS = 12_000
const TORCH_MS = 700

/** Resolves once the camera is scanning, has failed, or takes too long. */
function settled(control: CameraController): Promise<void> {
  return new Promise((resolve) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let stop = () => {}
    const look = () => {
      const { type } = control.getSnapshot().phase
      if (type === 'initializing' || type === 'off') return
      clearTimeout(timer)
      stop()
      resolve()
    }
    stop = control.subscribe(look)
    timer = setTimeout(() => {
      stop()
      resolve()
    }, START_MS)
    look()
  })
}

/** Opens the camera and examines one frame. The camera stays on for the torch and the test scan. */
export async function checkCamera(control: CameraController, video: HTMLVideoElement | null): Promise<Result> {
  control.start()
  await settled(control)
  const { fault, phase, cameraLabel } = control.getSnapshot()
  if (fault !== null) return bad(fault.text)
  if (phase.type === 'initializing' || phase.type === 'off' || video === null) return bad(READINESS.camera.none)
  if (isBlank(video)) return bad(READINESS.camera.dark)
  return good(
    READINESS.camera.good(cameraLabel || READINESS.camera.title, `${video.videoWidth} × ${video.videoHeight}`),
  )
}

const SAMPLE = 32
/** Out of 255: a covered lens stays below this. */
const BLACK = 12

function isBlank(video: HTMLVideoElement): boolean {
  const canvas = document.createElement('canvas')
  canvas.width = SAMPLE
  canvas.height = SAMPLE
  const context = canvas.getContext('2d')
  if (!context) return false
  context.drawImage(video, 0, 0, SAMPLE, SAMPLE)
  const { data } = context.getImageData(0, 0, SAMPLE, SAMPLE)
  return data.every((value, index) => index % 4 === 3 || value < BLACK)
}

/** Switches the torch on and off and asks the camera whether it did. */
export async function checkTorch(control: CameraController, video: HTMLVideoElement | null): Promise<Result> {
  if (!control.getSnapshot().torch.isThere) return absent(READINESS.torch.absent)
  control.setTorch(true)
  await new Promise((resolve) => setTimeout(resolve, TORCH_MS))
  const lit = isLit(video)
  const refused = control.getSnapshot().noticeText !== null
  control.setTorch(false)
  control.dismissNotice()
  if (refused || lit === false) return bad(READINESS.torch.failed)
  return lit === null ? weak(READINESS.torch.unsure) : good(READINESS.torch.good)
}

/** The torch's state as the camera reports it; null if it does not. */
function isLit(video: HTMLVideoElement | null): boolean | null {
  const stream = video?.srcObject
  const track = stream instanceof MediaStream ? stream.getVideoTracks()[0] : undefined
  const settings: (MediaTrackSettings & { torch?: boolean }) | undefined = track?.getSettings()
  return settings?.torch ?? null
}
