import type { GarbaEvent } from '@garba/shared/contracts/event'
import type { EventFacts } from '../facts.ts'
import { About } from './About.tsx'
import { CountdownSection } from './CountdownSection.tsx'
import { Details } from './Details.tsx'
import { Faq } from './Faq.tsx'
import { Features } from './Features.tsx'
import { Venue } from './Venue.tsx'

// Fetched with the sections, for it follows them; it stands beside main, not in it.
export { Footer } from './Footer.tsx'

/** The sections of SPEC 2 in their order. */
export const Sections = ({ event, facts }: { event: GarbaEvent | null; facts: EventFacts }) => (
  <>
    <About event={event} facts={facts} />
    <Details event={event} facts={facts} />
    <CountdownSection event={event} />
    <Features features={event?.features ?? []} />
    <Venue venue={facts.venue} announced={event !== null} />
    <Faq />
  </>
)
