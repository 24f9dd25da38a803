import { useEffect } from 'react'
import { useCamera } from '../camera/useCamera.ts'
import type { Decoded } from '../decode/reading.ts'
import { scanAgain, seeCode, seeNothing, useScan } from '../scan/machine.ts'
import { unlockSound } from '../scan/sounds.ts'

const see = (decoded: Decoded | null) => (decoded === null ? seeNothing() : seeCode(decoded.text))

/** Everything the scan screen shows: the camera and the current scan. */
export function useScanScreen() {
  const camera = useCamera(see)
  // Not the whole state: it also holds the codes in view, which change with every frame.
  const stage = useScan(({ state }) => state.type)
  const shown = useScan(({ verdict }) => verdict)
  const members = useScan(({ state }) => (state.type === 'choosing' ? state.members : null))
  const { control, now } = camera
  const running = now.phase.type !== 'off'
  useEffect(() => {
    if (stage === 'judging') control.judging()
    else if (stage === 'shown' || stage === 'choosing') control.rest()
    else control.resume()
  }, [control, stage])
  // With the camera off no code is in view: starting again counts as leaving (DECISIONS 9).
  useEffect(() => {
    if (!running) scanAgain()
  }, [running])
  const toggle = () => {
    // The tap that starts the camera also lets the phone make sounds.
    void unlockSound()
    if (running) control.stop()
    else control.start()
  }
  return { camera, running, toggle, isAiming: stage === 'aiming', shown, members }
}
