import { READINESS } from '@garba/shared/messages/readiness'
import { useState } from 'react'
import { bad, good, type SetResult, TESTING } from './result.ts'
import { playAll } from './soundCheck.ts'

/** The sounds can only be heard by the checker, who is asked once they have left the app (`played`). */
export function useSoundCheck(set: SetResult) {
  const [at, setAt] = useState<'idle' | 'playing' | 'played'>('idle')
  const play = async () => {
    setAt('playing')
    set('sound', TESTING)
    const left = await playAll()
    setAt(left ? 'played' : 'idle')
    if (!left) set('sound', bad(READINESS.sound.blocked))
  }
  const hear = (heard: boolean) => {
    setAt('idle')
    set('sound', heard ? good(READINESS.sound.good) : bad(READINESS.sound.unheard))
  }
  return { at, play, hear }
}
