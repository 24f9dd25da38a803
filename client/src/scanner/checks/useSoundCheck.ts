import { READINESS } from '@garba/shared/messages/readiness'
import { useState } from 'react'
import { bad, good, type SetResult, TESTING } from './result.ts'
import { playAll } from './soundCheck.ts'

/** Only the checker can say whether the sounds were audible; asked once they have left the app (`played`). */
export function useSoundCheck(set: SetResult) {
  const [at, setAt] = useState<'idle' | 'playing' | 'played'>('idle')
  const play = async () => {
    setAt('playing')
    set('sound', TESTING)
    const left = await playAll()
    setAt(left ? 'played' : 'idle')
    if (!left) set('sound', bad(READINESS.sound.blocked))
  }
  const confirm = (wasHeard: boolean) => {
    setAt('idle')
    set('sound', wasHeard ? good(READINESS.sound.good) : bad(READINESS.sound.unheard))
  }
  return { at, play, confirm }
}
