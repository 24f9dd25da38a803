import { SHELL } from '@garba/shared/messages/shell'
import { lazy, Suspense } from 'react'
import { Waiting } from '../Waiting.tsx'

export type Policy = 'privacy' | 'cancellation' | 'refund' | 'terms'

export const POLICY_ADDRESSES: Readonly<Record<Policy, string>> = {
  privacy: '/privacy-policy',
  cancellation: '/cancellation-policy',
  refund: '/refund-policy',
  terms: '/terms-of-service',
}

const PolicyPage = lazy(async () => ({ default: (await import('./PolicyPage.tsx')).PolicyPage }))

export const PolicyRoute = ({ policy }: { policy: Policy }) => (
  <Suspense fallback={<Waiting text={SHELL.loading} />}>
    <PolicyPage policy={policy} />
  </Suspense>
)
