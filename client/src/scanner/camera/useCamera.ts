import { useEffect, useSyncExternalStore } from 'react'
import type { Decoded } from '../decode/reading.ts'
import { type CameraController, createCameraController } from './cameraController.ts'
import type { CameraSnapshot } from './model.ts'

type OnLooked = (decoded: Decoded | null) => void

let controller: CameraController | null = null
let listener: OnLooked | null = null

/** One camera and one decoder for the page, shared by its screens. */
function sharedCamera(): CameraController {
  controller ??= createCameraController({ onLooked: (decoded) => listener?.(decoded) })
  return controller
}

/** Ends stream, worker and listeners when the checker leaves. */
export function closeCamera(): void {
  controller?.dispose()
  controller = null
}

export interface Camera {
  control: CameraController
  now: CameraSnapshot
}

/** The page's camera. While the calling screen is shown, `onLooked` gets each frame's code or null; then the camera stops. */
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
