import { create } from 'zustand'
import { useConnectivity } from '../../platform/net/connectivity.ts'
import { type Line, type LineNews, lineAfter } from './line.ts'

export const useLine = create<{ line: Line; since: number }>(() => ({ line: { at: 'unknown' }, since: Date.now() }))

export const lineNow = (): Line => useLine.getState().line

export function noteLine(news: LineNews): void {
  const before = lineNow()
  const line = lineAfter(before, news)
  const same = line.at === before.at && (line.at !== 'device' || (before.at === 'device' && before.why === line.why))
  if (!same) useLine.setState({ line, since: Date.now() })
}

/** Follows what the other calls of the page find out. Call once; returns the way to stop. */
export const followConnectivity = (): (() => void) =>
  useConnectivity.subscribe(({ state, lastAnswerAt }, before) => {
    if (state === 'offline') noteLine({ is: 'noAnswer' })
    else if (state === 'online' && lastAnswerAt !== before.lastAnswerAt) noteLine({ is: 'reached' })
  })
