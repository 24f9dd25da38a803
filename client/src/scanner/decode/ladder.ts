import pTimeout from 'p-timeout'
import {
  type CodeReading,
  type DecodedCode,
  findPreferredReading,
  isTicketText,
  type Picture,
  type ReadPicture,
  type Rung,
  type RungName,
} from './reading.ts'

export const FAILURES_ALLOWED = 3
/** A doubted rung that has read nothing is given up once the next rung has read this many codes that it missed. */
export const MISSES_ALLOWED = 5
/** Longer loading (a wasm file on a bad network) is given up. This is below the scanner's own limit. */
export const LOAD_TIMEOUT_MS = 6_000

export interface LadderOptions {
  rungs: readonly Rung[]
  given?: { up: readonly RungName[] }
  now: () => number
  onGivenUp?: (rung: RungName, why: string) => void
}

export interface Ladder {
  prepare(): Promise<RungName>
  read(picture: Picture): Promise<DecodedCode | null>
}

interface RungState {
  rung: Rung
  loading: Promise<ReadPicture> | null
  isGivenUp: boolean
  failures: number
  hits: number
  misses: number
}

const formatError = (error: unknown) => (error instanceof Error ? `${error.name}: ${error.message}` : String(error))

/**
 * Tries the rungs from the best down, one frame at a time. A rung that cannot be loaded, keeps failing, or sees nothing
 * where the next rung reads (a native detector without its system service) is given up for good; the caller remembers
 * it and passes it as `given`.
 */
export function createLadder({ rungs, given, now, onGivenUp }: LadderOptions): Ladder {
  const agreement = createAgreement()
  const standings: RungState[] = rungs.map((rung) => ({
    rung,
    loading: null,
    isGivenUp: given?.up.includes(rung.name) ?? false,
    failures: 0,
    hits: 0,
    misses: 0,
  }))
  let frame = 0
  let turn = 0

  function giveUp(standing: RungState, why: string) {
    standing.isGivenUp = true
    standing.loading = null
    onGivenUp?.(standing.rung.name, why)
  }

  async function loaded(standing: RungState): Promise<ReadPicture | null> {
    if (standing.isGivenUp) return null
    standing.loading ??= pTimeout(standing.rung.load(), { milliseconds: LOAD_TIMEOUT_MS })
    try {
      return await standing.loading
    } catch (error) {
      giveUp(standing, formatError(error))
      return null
    }
  }

  async function tryRung(standing: RungState, picture: Picture): Promise<readonly CodeReading[] | null> {
    const read = await loaded(standing)
    if (!read) return null
    try {
      const readings = await read(picture, turn)
      standing.failures = 0
      return readings
    } catch (error) {
      standing.failures += 1
      // A wasm memory that trapped cannot be trusted: the next frame reloads the rung.
      standing.loading = null
      if (standing.failures >= FAILURES_ALLOWED) giveUp(standing, formatError(error))
      return null
    }
  }

  function recordHit(hit: RungState, missed: readonly RungState[]) {
    hit.hits += 1
    for (const standing of missed) {
      standing.misses += 1
      if (standing.hits === 0 && standing.misses >= MISSES_ALLOWED) giveUp(standing, 'sees nothing where others read')
    }
  }

  async function climbDown(picture: Picture): Promise<{ readings: readonly CodeReading[]; rung: RungName } | null> {
    const missed: RungState[] = []
    for (const standing of standings) {
      const readings = await tryRung(standing, picture)
      if (!readings) continue
      if (readings.length > 0) {
        recordHit(standing, missed)
        return { readings, rung: standing.rung.name }
      }
      if (!standing.rung.isDoubted) return null
      missed.push(standing)
    }
    return null
  }

  return {
    async prepare() {
      for (const standing of standings) if (await loaded(standing)) return standing.rung.name
      throw new Error('No way to read codes works on this device')
    },

    async read(picture) {
      const from = now()
      frame += 1
      const found = await climbDown(picture)
      const best = found && findPreferredReading(found.readings, picture)
      // The variant that read this frame will probably read the next, so only a miss moves on to another.
      if (!best) turn += 1
      const reading = best && agreement.believe(best, { frame, now: now() })
      return found && reading ? { ...reading, rung: found.rung, ms: now() - from } : null
    },
  }
}

export const AGREEMENT_MS = 2_000

interface Agreement {
  /** Returns the reading if it can be trusted now; otherwise remembers it and returns null. */
  believe(reading: CodeReading, at: { frame: number; now: number }): CodeReading | null
}

/**
 * A ticket's text has a fixed form, 48 correction bytes and a signature to verify, so one reading is enough. Noise can pass for a
 * short code, so other texts must be read in two pictures; until then, a ticket in the same view may be read first.
 */
export function createAgreement(): Agreement {
  let waiting: { text: string; frame: number; until: number } | null = null
  return {
    believe(reading, { frame, now }) {
      const { text } = reading
      if (isTicketText(text)) {
        waiting = null
        return reading
      }
      const isSecond = waiting?.text === text && waiting.frame !== frame && now <= waiting.until
      waiting = isSecond ? null : { text, frame, until: now + AGREEMENT_MS }
      return isSecond ? reading : null
    },
  }
}
