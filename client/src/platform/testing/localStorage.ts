import { vi } from 'vitest'

/** Gives Node the parts of localStorage that pages use, filled with `before`, until globals are unstubbed. Returns what it keeps. */
export function stubLocalStorage(before: Readonly<Record<string, string>> = {}): Map<string, string> {
  const kept = new Map(Object.entries(before))
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  })
  return kept
}
