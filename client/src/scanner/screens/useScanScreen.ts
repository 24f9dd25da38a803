import { useEffect } from 'react'
import type { Decoded } from '../decode/reading.ts'
import { unlockSound } from '../feedback/sounds.ts'
import { seeCode, useScan } from '../verdict/machine.ts'
import { useCamera } from './useCamera.ts'

const see = ({ text }: Decoded) => seeCode(text)

/** Everything the scan screen shows: the camera by its switch, and the scan that is under way. */
export function useScanScreen() {
  const camera = useCamera(see)
  const state = useScan((store) => store.state)
  const { control, now } = camera
  const running = now.phase.at !== 'off'
  // Between two scans the decoder rests: a code held through the pause is not looked for (SPEC 4).
  useEffect(() => {
    if (state.at === 'judging') control.judging()
    else if (state.at === 'shown') control.rest()
    else control.resume()
  }, [control, state.at])
  const toggle = () => {
    // The tap that starts the camera also lets the phone make sounds.
    void unlockSound()
    if (running) control.stop()
    else control.start()
  }
  return { camera, running, toggle, isAiming: state.at === 'aiming', shown: state.at === 'shown' ? state.shown : null }
}
