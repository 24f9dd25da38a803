import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useEffect } from 'react'
import { toast } from 'sonner'
import { StateChip } from '../../kit/Badge.tsx'
import { ErrorPanel } from '../../kit/Banner.tsx'
import { Card } from '../../kit/Card.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { messageOf } from '../../platform/http/failure.ts'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import { useDates } from './dates.ts'
import { ExportButton } from './ExportButton.tsx'
import styles from './SaveDialog.module.css'

interface LoadedCardProps<D> {
  query: UseQueryResult<D>
  /** `exportCsv` names the export for screen readers. */
  words: { title: string; loading: string; exportCsv?: string }
  /** The export of all rows, including those that the card does not show. */
  file?: { fetch: () => Promise<Blob>; name: string }
  /** How many placeholder lines to show while loading. */
  lines: number
  children: (data: D) => ReactNode
  /** At the right of the title. */
  actions?: ReactNode
  /** Shown however the load ends. */
  footer?: ReactNode
}

/** A card with its own data. The page has one Refresh, and one banner for everything that failed. */
export function LoadedCard<D>({ query, words, file, lines, children, actions, footer }: LoadedCardProps<D>) {
  return (
    <Card title={words.title} actions={file ? <ExportButton {...file} label={words.exportCsv} /> : actions}>
      {query.isPending ? <SkeletonLines lines={lines} label={words.loading} /> : null}
      {query.data === undefined ? (
        query.error ? (
          <p className={styles.note}>{DESK.notLoaded}</p>
        ) : null
      ) : (
        children(query.data)
      )}
      {footer}
    </Card>
  )
}

/** A TanStack Query result, with the sentence for its failure. */
export interface Load {
  query: {
    data: unknown
    error: Error | null
    isPending: boolean
    isFetching: boolean
    refetch: () => Promise<{ error: Error | null }>
  }
  failed: (reason: string) => string
}

/** The reads of a page as one: one Refresh, one banner and one Retry. Several failures have one sentence for all. */
export function joinLoads(loads: readonly Load[]): Load {
  const failing = loads.filter(({ query }) => query.error !== null)
  const [first = loads[0]] = failing
  const known = failing.every(({ query }) => query.data !== undefined)
  return {
    query: {
      data: known || undefined,
      error: first?.query.error ?? null,
      isPending: loads.every(({ query }) => query.isPending),
      isFetching: loads.some(({ query }) => query.isFetching),
      refetch: async () => {
        const answers = await Promise.all(loads.map(({ query }) => query.refetch()))
        return { error: answers.find(({ error }) => error !== null)?.error ?? null }
      },
    },
    failed: failing.length > 1 || first === undefined ? FAILURE_TOASTS.loadData : first.failed,
  }
}

/** The sentence is the toast's id: a first load that fails while Refresh waits for it shows one toast, not two. */
export const toastFailedLoad = (sentence: string) => toast.error(sentence, { id: sentence })

/** A failed load: the inline panel with Retry, and a toast too when there is nothing to show yet. */
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

/** Shows since when figures could not be updated. Renders nothing where none were ever known. */
export const LastKnown = ({ query: { data, error, dataUpdatedAt } }: LastKnownProps) => {
  const { timeOf } = useDates()
  if (error === null || data === undefined) return null
  return (
    <p role="status">
      <StateChip state="warn">{FIGURES.home.couldNotUpdate(timeOf(new Date(dataUpdatedAt).toISOString()))}</StateChip>
    </p>
  )
}
