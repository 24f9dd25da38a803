import { type Luma, photograph, type Scene } from './corpus/frame.ts'
import type { Reader } from './readers.ts'

/** How one reader did on one scene. */
export interface Trial {
  scene: Scene
  /** Number of the frame (0 = the first) that gave the expected text; null when none did. */
  readAt: number | null
  /** A text that truly was in the picture, but not the one meant. */
  other: boolean
  /** A text that was nowhere in the picture. */
  wrong: string | null
  /** Milliseconds of processor time for each frame it was shown; other programs' share of the machine does not count. */
  ms: number[]
}

async function showTo(reader: Reader, trial: Trial, { frame, shot }: { frame: Luma; shot: number }) {
  const from = process.cpuUsage()
  const texts = await reader(frame)
  const { user, system } = process.cpuUsage(from)
  trial.ms.push((user + system) / 1000)
  trial.wrong ??= texts.find((text) => !trial.scene.present.includes(text)) ?? null
  if (trial.scene.expected !== null && texts.includes(trial.scene.expected)) trial.readAt = shot
  else if (texts.length > 0) trial.other = true
}

/** A reader and the most frames it is shown. */
export interface TrialReader {
  read: Reader
  shots: number
}

/**
 * Shows a scene to each reader until it has read it: each later frame is the same hand a thirtieth of a second on, with
 * its own noise.
 */
export async function tryScene(scene: Scene, readers: readonly TrialReader[]): Promise<Trial[]> {
  const trials = readers.map((): Trial => ({ scene, readAt: null, other: false, wrong: null, ms: [] }))
  for (let shot = 0; ; shot++) {
    const waiting = trials.flatMap((trial, i) => {
      const reader = readers[i]
      return reader && shot < reader.shots && trial.readAt === null ? [{ trial, reader }] : []
    })
    if (waiting.length === 0) return trials
    const frame = photograph(scene, shot)
    for (const { trial, reader } of waiting) await showTo(reader.read, trial, { frame, shot })
  }
}

export interface Score {
  scenes: number
  first: number
  hits: number
  others: number
  wrong: number
  median: number
  p95: number
}

export function scoreOf(trials: readonly Trial[]): Score {
  const ms = trials.flatMap((trial) => trial.ms).sort((a, b) => a - b)
  const at = (share: number) => ms[Math.min(ms.length - 1, Math.floor(ms.length * share))] ?? 0
  const count = (test: (trial: Trial) => boolean) => trials.filter(test).length
  return {
    scenes: trials.length,
    first: count(({ readAt }) => readAt === 0),
    hits: count(({ readAt }) => readAt !== null),
    others: count(({ other }) => other),
    wrong: count(({ wrong }) => wrong !== null),
    median: at(0.5),
    p95: at(0.95),
  }
}
