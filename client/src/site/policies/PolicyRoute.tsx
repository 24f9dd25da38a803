import type { Policy } from '@garba/shared/messages/policyFrame'
import { lazy, Suspense } from 'react'
import { Waiting } from '../Waiting.tsx'
import { useWords } from '../words.ts'

export const POLICY_ADDRESSES: Readonly<Record<Policy, string>> = {
  privacy: '/privacy-policy',
  cancellation: '/cancellation-policy',
  refund: '/refund-policy',
  terms: '/terms-of-service',
}

const PolicyPage = lazy(async () => ({ default: (await import('./PolicyPage.tsx')).PolicyPage }))

export const PolicyRoute = ({ policy }: { policy: Policy }) => (
  <Suspense fallback={<Waiting text={useWords().header.loading} />}>
    <PolicyPage policy={policy} />
  </Suspense>
)
