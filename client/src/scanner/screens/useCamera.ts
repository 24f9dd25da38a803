import { useEffect, useSyncExternalStore } from 'react'
import { type CameraController, createCameraController } from '../camera/cameraController.ts'
import type { CameraSnapshot } from '../camera/snapshot.ts'
import type { Decoded } from '../decode/reading.ts'

type OnDecoded = (decoded: Decoded) => void

let controller: CameraController | null = null
let listener: OnDecoded | null = null

/** One camera and one decoder for the page, whichever of its screens looks through it. */
function sharedCamera(): CameraController {
  controller ??= createCameraController({ onDecoded: (decoded) => listener?.(decoded) })
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

/** The page's camera; codes go to `onDecoded` while the calling screen is shown. It stops when the screen goes. */
export function useCamera(onDecoded: OnDecoded): Camera {
  const control = sharedCamera()
  const now = useSyncExternalStore(control.subscribe, control.getSnapshot)
  useEffect(() => {
    listener = onDecoded
    return () => {
      if (listener === onDecoded) listener = null
    }
  }, [onDecoded])
  return { control, now }
}
