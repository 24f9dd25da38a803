import { StateChip } from '../../kit/Badge.tsx'
import { FIGURES } from '../texts/figures.ts'
import { useDates } from './dates.ts'

interface LastKnownProps {
  query: { data: unknown; error: Error | null; dataUpdatedAt: number }
}

/** Figures that failed to update stay, and say since when; nothing is said where none were ever known (SPEC 8). */
export const LastKnown = ({ query: { data, error, dataUpdatedAt } }: LastKnownProps) => {
  const { timeOf } = useDates()
  if (error === null || data === undefined) return null
  return (
    <p role="status">
      <StateChip state="warn">{FIGURES.home.couldNotUpdate(timeOf(new Date(dataUpdatedAt).toISOString()))}</StateChip>
    </p>
  )
}
