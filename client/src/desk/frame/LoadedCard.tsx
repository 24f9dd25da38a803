import { FAILURE_TOASTS } from '@garba/shared/messages/toasts'
import type { UseQueryResult } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { StateChip } from '../../kit/Badge.tsx'
import { ErrorPanel } from '../../kit/Banner.tsx'
import { Card } from '../../kit/Card.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { getErrorMessage } from '../../platform/http/failure.ts'
import { DESK } from '../texts/desk.ts'
import { FIGURES } from '../texts/figures.ts'
import { useDates } from './dates.ts'
import { ExportButton } from './ExportButton.tsx'
import styles from './SaveDialog.module.css'

interface LoadedCardProps<D> {
  query: UseQueryResult<D>
  words: { title: string; loading: string; exportCsv?: string }
  file?: { fetch: () => Promise<Blob>; name: string }
  lines: number
  children: (data: D) => ReactNode
  actions?: ReactNode
  footer?: ReactNode
}

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

/** Whether a page still waits for its first answers. It is shown when all have come, so that nothing moves, and stays from then on. */
export function useFirstLoad(reads: readonly { isLoading: boolean }[]): boolean {
  const [hasLoaded, setLoaded] = useState(false)
  const isLoading = !hasLoaded && reads.some((read) => read.isLoading)
  if (!hasLoaded && !isLoading) setLoaded(true)
  return isLoading
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
      isPending: loads.some(({ query }) => query.isPending),
      isFetching: loads.some(({ query }) => query.isFetching),
      refetch: async () => {
        const answers = await Promise.all(loads.map(({ query }) => query.refetch()))
        return { error: answers.find(({ error }) => error !== null)?.error ?? null }
      },
    },
    failed: failing.length > 1 || first === undefined ? FAILURE_TOASTS.loadData : first.failed,
  }
}

export const LoadFailure = ({ query: { error, refetch }, failed }: Load) =>
  error && <ErrorPanel onRetry={() => void refetch()}>{failed(getErrorMessage(error))}</ErrorPanel>

interface LastKnownProps {
  query: { data: unknown; error: Error | null; dataUpdatedAt: number }
}

export const LastKnown = ({ query: { data, error, dataUpdatedAt } }: LastKnownProps) => {
  const { timeOf } = useDates()
  if (error === null || data === undefined) return null
  return (
    <p role="status">
      <StateChip state="warn">{FIGURES.home.couldNotUpdate(timeOf(new Date(dataUpdatedAt).toISOString()))}</StateChip>
    </p>
  )
}
