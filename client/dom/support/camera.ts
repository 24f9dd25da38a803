import type { FakeCamera as Camera } from '../../e2e/support/camera.ts'
import { type CameraSetup, DEFAULT_CAMERA, installCamera } from '../../e2e/support/cameraInPage.ts'
import { installQuickReader } from '../../e2e/support/quickReader.ts'
import type { Page } from './page.ts'

export type FakeCamera = Pick<Camera, 'showCode' | 'cutOff' | 'seen'>

/** Replaces the camera of a page; call it before page.goto. What is held up is read at once. */
export function fakeCamera(page: Page, setup: Partial<CameraSetup> = {}): FakeCamera {
  page.addInitScript(installMedia)
  page.addInitScript(installCamera, { ...DEFAULT_CAMERA, ...setup })
  page.addInitScript(installQuickReader)
  return {
    showCode: (text: string | null) => page.evaluate((held) => window.garbaReads(held), text),
    cutOff: () => page.evaluate(() => window.garbaCamera.cutOff()),
    seen: () => page.evaluate(() => window.garbaCamera.seen),
  }
}

/**
 * Runs in the page before its own code and must be whole in itself: streams, videos and frames, which jsdom lacks, as far
 * as the scanner asks for them. Nothing is drawn.
 */
function installMedia(): void {
  const FRAME_MS = 200
  class Track extends EventTarget {
    readyState = 'live'
    enabled = true
    muted = false
    stop() {
      this.readyState = 'ended'
    }
  }
  class Stream {
    private readonly tracks = [new Track()]
    getTracks = () => this.tracks
    getVideoTracks = () => this.tracks
  }
  const put = (on: object, name: string, value: unknown) =>
    Object.defineProperty(on, name, { value, configurable: true, writable: true })
  put(navigator, 'mediaDevices', new EventTarget())
  put(window, 'garbaCameraShows', async () => null)
  put(window, 'Worker', class {})
  put(window, 'VideoFrame', class {})
  put(HTMLCanvasElement.prototype, 'captureStream', () => new Stream())
  put(HTMLCanvasElement.prototype, 'getContext', () => null)
  const video = HTMLVideoElement.prototype
  put(video, 'srcObject', null)
  put(video, 'readyState', HTMLMediaElement.HAVE_ENOUGH_DATA)
  put(video, 'play', async () => undefined)
  put(video, 'requestVideoFrameCallback', (then: () => void) => setTimeout(then, FRAME_MS))
  put(video, 'cancelVideoFrameCallback', (handle: number) => clearTimeout(handle))
}
