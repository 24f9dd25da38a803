import type { Policy } from '@garba/shared/contracts/pages'
import { lazy, Suspense } from 'react'
import { Waiting } from '../Waiting.tsx'
import { useWords } from '../words.ts'

const PolicyPage = lazy(async () => ({ default: (await import('./PolicyPage.tsx')).PolicyPage }))

export const PolicyRoute = ({ policy }: { policy: Policy }) => (
  <Suspense fallback={<Waiting text={useWords().header.loading} />}>
    <PolicyPage policy={policy} />
  </Suspense>
)
