import { useEffect, useSyncExternalStore } from 'react'
import type { Decoded } from '../decode/reading.ts'
import { type CameraController, createCameraController } from './cameraController.ts'
import type { CameraSnapshot } from './snapshot.ts'

type OnLooked = (decoded: Decoded | null) => void

let controller: CameraController | null = null
let listener: OnLooked | null = null

/** One camera and one decoder for the page, whichever of its screens looks through it. */
function sharedCamera(): CameraController {
  controller ??= createCameraController({ onLooked: (decoded) => listener?.(decoded) })
  return controller
}

/** Ends stream, worker and listening: when the checker leaves. */
export function closeCamera(): void {
  controller?.dispose()
  controller = null
}

export interface Camera {
  control: CameraController
  now: CameraSnapshot
}

/** The page's camera; each frame's code, or null, goes to `onLooked` while the calling screen is shown. It stops when the screen goes. */
export function useCamera(onLooked: OnLooked): Camera {
  const control = sharedCamera()
  const now = useSyncExternalStore(control.subscribe, control.getSnapshot)
  useEffect(() => {
    listener = onLooked
    return () => {
      if (listener === onLooked) listener = null
    }
  }, [onLooked])
  return { control, now }
}
