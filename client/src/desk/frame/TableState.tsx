import { SearchX } from 'lucide-react'
import { Button } from '../../kit/Button.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { SkeletonRows } from '../../kit/Skeleton.tsx'
import { messageOf } from '../../platform/http/failure.ts'

interface TableStateProps {
  isPending: boolean
  error: Error | null
  /** The sentence for a failed load. */
  failed: (reason: string) => string
  refetch: () => unknown
  empty: boolean
  filtered: boolean
  onReset: () => void
  words: { loading: string; empty: string; emptySearch: string; emptyAll: string; clear: string }
}

/** What stands in a table's place, or above it: on its way, failed with Retry, empty with the next step. */
export const TableState = ({ isPending, error, failed, empty, filtered, words, ...act }: TableStateProps) => (
  <>
    {error ? <ErrorPanel onRetry={act.refetch}>{failed(messageOf(error))}</ErrorPanel> : null}
    {isPending ? <SkeletonRows label={words.loading} /> : null}
    {empty ? (
      <EmptyState
        level={2}
        title={words.empty}
        icon={<SearchX aria-hidden="true" />}
        action={filtered ? <Button onClick={act.onReset}>{words.clear}</Button> : null}
      >
        {filtered ? words.emptySearch : words.emptyAll}
      </EmptyState>
    ) : null}
  </>
)
