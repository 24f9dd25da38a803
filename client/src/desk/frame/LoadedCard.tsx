import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Card } from '../../kit/Card.tsx'
import { SkeletonLines } from '../../kit/Skeleton.tsx'
import { LoadFailure } from './LoadFailure.tsx'
import { RefreshButton } from './RefreshButton.tsx'

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
