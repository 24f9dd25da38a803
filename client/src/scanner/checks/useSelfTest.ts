import { READINESS } from '@garba/shared/messages/readiness'
import { CAMERA } from '@garba/shared/messages/scanner'
import { type RefObject, useCallback, useRef, useState } from 'react'
import { useCamera } from '../camera/useCamera.ts'
import { SELF_TEST_TEXT } from '../core/scan.ts'
import type { Decoded } from '../decode/reading.ts'
import { checkCamera } from './cameraChecks.ts'
import { tryPipeline } from './pipeline.ts'
import { bad, good, type SetResult, TESTING } from './result.ts'

/** The test scan: first the whole path inside this device, then the test code in front of its camera. */
export function useSelfTest(video: RefObject<HTMLVideoElement | null>, set: SetResult) {
  const [aiming, setAiming] = useState(false)
  const wants = useRef(false)
  wants.current = aiming
  const see = useCallback(
    (decoded: Decoded | null) => {
      if (!wants.current || decoded?.text !== SELF_TEST_TEXT) return
      setAiming(false)
      set('selfTest', good(READINESS.selfTest.good(Math.max(1, Math.round(decoded.ms)))))
    },
    [set],
  )
  const { control, now } = useCamera(see)
  const aim = async () => {
    set('selfTest', TESTING)
    if (!(await tryPipeline())) return set('selfTest', bad(READINESS.selfTest.failed))
    const camera = await checkCamera(control, video.current)
    set('camera', camera)
    if (camera.type === 'good') setAiming(true)
    else set('selfTest', bad(CAMERA.accessFailed))
  }
  const stop = () => {
    setAiming(false)
    set('selfTest', bad(READINESS.selfTest.timeout))
  }
  return { aiming, aim, stop, control, camera: now }
}
