import type { Look } from '../core/shown.ts'
import { playSound } from './sounds.ts'

/** ms of shaking and rest, by turns; felt apart in a hand that does not look. */
const PATTERNS: Readonly<Record<Look, readonly number[]>> = {
  allowed: [90],
  pending: [70, 80, 70],
  refused: [350, 120, 350],
}

/** Tells a verdict to ear and hand; iOS has no vibration, there sound and colour carry it (DECISIONS 4). */
export function signal(look: Look): void {
  playSound(look)
  if ('vibrate' in navigator) navigator.vibrate([...PATTERNS[look]])
}
