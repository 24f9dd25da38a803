import type { Gate } from '@garba/shared/contracts/desk'
import { FIGURES } from '@garba/shared/messages/deskFigures'
import { durationTold } from '../home/amounts.ts'

const words = FIGURES.gate
const MINUTE_MS = 60_000

type Held = Pick<Gate['devices'][number], 'rosterRevision' | 'rosterLacksSince'>

/** How far a device's roster is behind, and from a minute on for how long it has been. */
export function rosterText(
  { rosterRevision, rosterLacksSince }: Held,
  { revision, at }: Pick<Gate, 'revision' | 'at'>,
) {
  if (rosterRevision === null) return words.rosterUnknown
  const behind = revision - rosterRevision
  if (behind <= 0) return words.rosterCurrent
  const age = rosterLacksSince === null ? 0 : Date.parse(at) - Date.parse(rosterLacksSince)
  const changes = words.rosterBehind(behind)
  return age < MINUTE_MS ? changes : words.rosterBehindFor(changes, durationTold(age / 1_000))
}
