import type { Look } from '../core/scan.ts'

interface Note {
  /** Hz, from and to. */
  from: number
  to: number
  /** Start and duration in seconds. */
  at: number
  lasts: number
  wave: OscillatorType
}

/**
 * The three sounds differ in melody, length and timbre, so that they stay distinct in noise and on speakers without high notes:
 * two rising bells, two even knocks, one long falling buzz.
 */
export const SOUNDS: Readonly<Record<Look, readonly Note[]>> = {
  allowed: [
    { from: 880, to: 880, at: 0, lasts: 0.12, wave: 'sine' },
    { from: 1319, to: 1319, at: 0.12, lasts: 0.24, wave: 'sine' },
  ],
  pending: [
    { from: 587, to: 587, at: 0, lasts: 0.14, wave: 'triangle' },
    { from: 587, to: 587, at: 0.22, lasts: 0.14, wave: 'triangle' },
  ],
  refused: [{ from: 330, to: 110, at: 0, lasts: 0.65, wave: 'sawtooth' }],
}

const LOUDNESS = 0.5
const EDGE_S = 0.01

let context: AudioContext | null = null

/** Unlocks sound. Call it from a tap: browsers allow no sound before a tap. Never throws. */
export async function unlockSound(): Promise<boolean> {
  try {
    context ??= new AudioContext()
    if (context.state !== 'running') await context.resume()
    return context.state === 'running'
  } catch (error) {
    console.warn('Sound is not available on this device', error)
    return false
  }
}

/** Plays a verdict's sound, once unlocked. Phones suspend sound in a pocket, so it is resumed each time. */
export function playSound(look: Look): void {
  if (context === null) return
  if (context.state !== 'running') void unlockSound()
  const start = context.currentTime
  for (const note of SOUNDS[look]) playNote({ context, start, note })
}

function playNote({ context, start, note }: { context: AudioContext; start: number; note: Note }) {
  const { from, to, at, lasts, wave } = note
  const [begin, end] = [start + at, start + at + lasts]
  const oscillator = context.createOscillator()
  const gain = context.createGain()
  oscillator.type = wave
  oscillator.frequency.setValueAtTime(from, begin)
  oscillator.frequency.linearRampToValueAtTime(to, end)
  gain.gain.setValueAtTime(0, begin)
  gain.gain.linearRampToValueAtTime(LOUDNESS, begin + EDGE_S)
  gain.gain.setValueAtTime(LOUDNESS, end - EDGE_S)
  gain.gain.linearRampToValueAtTime(0, end)
  oscillator.connect(gain).connect(context.destination)
  oscillator.onended = () => gain.disconnect()
  oscillator.start(begin)
  oscillator.stop(end)
}

/** Alternating ms of vibration and pause, distinguishable without looking. */
const PATTERNS: Readonly<Record<Look, readonly number[]>> = {
  allowed: [90],
  pending: [70, 80, 70],
  refused: [350, 120, 350],
}

export function signalVerdict(look: Look): void {
  playSound(look)
  if ('vibrate' in navigator) navigator.vibrate([...PATTERNS[look]])
}
