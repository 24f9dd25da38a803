import { SPLASH_FADE_MS, SPLASH_FIRST_WORD_MS, SPLASH_HOLD_MS, SPLASH_NEXT_WORD_MS } from '@garba/shared/constants'

export type Stage = { type: 'words'; shown: number } | { type: 'fading' } | { type: 'gone' }

/** The stage that follows and how long, in ms, the present one lasts before it (SPEC 4, Intro splash); null at the end. */
export function next(stage: Stage, words: number): { after: number; stage: Stage } | null {
  if (stage.type === 'gone') return null
  if (stage.type === 'fading') return { after: SPLASH_FADE_MS, stage: { type: 'gone' } }
  if (stage.shown === words) return { after: SPLASH_HOLD_MS, stage: { type: 'fading' } }
  const after = stage.shown === 0 ? SPLASH_FIRST_WORD_MS : SPLASH_NEXT_WORD_MS
  return { after, stage: { type: 'words', shown: stage.shown + 1 } }
}
