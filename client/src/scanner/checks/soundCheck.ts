import type { Look } from '../core/scan.ts'
import { isSounding, playSound, SOUNDS, unlockSound } from '../scan/sounds.ts'

const LOOK_EVERY_MS = 30
const GAP_MS = 350

const lengthMs = (look: Look) => Math.max(...SOUNDS[look].map(({ at, lasts }) => at + lasts)) * 1000

/** Plays the three sounds in turn; resolves to whether each really left the page. Call it from a tap. */
export async function playAll(): Promise<boolean> {
  if (!(await unlockSound())) return false
  let all = true
  for (const look of Object.keys(SOUNDS) as Look[]) {
    playSound(look)
    all = (await sounded(lengthMs(look))) && all
    await wait(GAP_MS)
  }
  return all
}

async function sounded(forMs: number): Promise<boolean> {
  let left = false
  for (let past = 0; past < forMs; past += LOOK_EVERY_MS) {
    await wait(LOOK_EVERY_MS)
    left ||= isSounding()
  }
  return left
}

const wait = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))
