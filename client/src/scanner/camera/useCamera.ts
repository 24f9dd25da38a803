import { useEffect, useSyncExternalStore } from 'react'
import type { DecodedCode } from '../decode/reading.ts'
import { type CameraController, createCameraController } from './cameraController.ts'
import type { CameraSnapshot } from './model.ts'

type OnLooked = (decoded: DecodedCode | null) => void

let controller: CameraController | null = null
let listener: OnLooked | null = null

function sharedCamera(): CameraController {
  controller ??= createCameraController({ onLooked: (decoded) => listener?.(decoded) })
  return controller
}

export function closeCamera(): void {
  controller?.dispose()
  controller = null
}

export interface Camera {
  control: CameraController
  now: CameraSnapshot
}

/** While the calling screen is shown, `onLooked` gets each frame's code or null; then the camera stops. */
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
