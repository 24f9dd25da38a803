import { SPLASH_FADE_MS, SPLASH_FIRST_WORD_MS, SPLASH_HOLD_MS, SPLASH_NEXT_WORD_MS } from '@garba/shared/constants'

export type Stage = { at: 'words'; shown: number } | { at: 'fading' } | { at: 'gone' }

/** The stage that follows and how long, in ms, the present one lasts before it (SPEC 4, Intro splash); null at the end. */
export function next(stage: Stage, words: number): { after: number; stage: Stage } | null {
  if (stage.at === 'gone') return null
  if (stage.at === 'fading') return { after: SPLASH_FADE_MS, stage: { at: 'gone' } }
  if (stage.shown === words) return { after: SPLASH_HOLD_MS, stage: { at: 'fading' } }
  const after = stage.shown === 0 ? SPLASH_FIRST_WORD_MS : SPLASH_NEXT_WORD_MS
  return { after, stage: { at: 'words', shown: stage.shown + 1 } }
}
