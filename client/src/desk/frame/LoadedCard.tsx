import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { toast } from 'sonner'
import { StateChip } from '../../kit/Badge.tsx'
import { Card } from '../../kit/Card.tsx'
import { ErrorPanel } from '../../kit/ErrorPanel.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { FIGURES } from '../texts/figures.ts'
import { RefreshButton } from './DeskFrame.tsx'
import { useDates } from './dates.ts'

interface LoadedCardProps<D> {
  title: string
  query: UseQueryResult<D>
  failed: (reason: string) => string
  words: { loading: string; refresh?: string }
  /** How many placeholder lines to show while loading. */
  lines: number
  children: (data: D) => ReactNode
  /** Beside Refresh. */
  actions?: ReactNode
  /** Shown however the load ends. */
  footer?: ReactNode
}

/** A card of a dashboard's home with its own data and its own Refresh. */
export function LoadedCard<D>({ title, query, failed, words, lines, children, actions, footer }: LoadedCardProps<D>) {
  const load = { query, failed }
  return (
    <Card
      title={title}
      actions={
        <>
          {actions}
          <RefreshButton {...load} label={words.refresh} />
        </>
      }
    >
      <LoadFailure {...load} />
      {query.isPending ? <SkeletonLines lines={lines} label={words.loading} /> : null}
      {query.data === undefined ? null : children(query.data)}
      {footer}
    </Card>
  )
}

/** A TanStack Query result, with the sentence for its failure. */
export interface Load {
  query: { data: unknown; error: Error | null; refetch: () => Promise<{ error: Error | null }> }
  failed: (reason: string) => string
}

/** The sentence is the toast's id: a first load that fails while Refresh waits for it shows one toast, not two. */
export const toastFailedLoad = (sentence: string) => toast.error(sentence, { id: sentence })

/** A failed load: the inline panel with Retry, and a toast too when there is nothing to show yet (SPEC 8). */
export const LoadFailure = ({ query: { data, error, refetch }, failed }: Load) => {
  const sentence = error ? failed(messageOf(error)) : null
  const first = data === undefined
  useEffect(() => {
    if (first && sentence !== null) toastFailedLoad(sentence)
  }, [first, sentence])
  return sentence === null ? null : <ErrorPanel onRetry={() => void refetch()}>{sentence}</ErrorPanel>
}

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
