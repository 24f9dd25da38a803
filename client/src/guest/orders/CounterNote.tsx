import { Store } from 'lucide-react'
import { Banner } from '../../kit/Banner.tsx'
import { useOrderWords } from './words.ts'

/** The note replaces the buy button where only the desk sells. */
export const CounterNote = () => (
  <Banner icon={<Store aria-hidden="true" />}>
    <p>{useOrderWords().counter}</p>
  </Banner>
)
