import type { MoreProps } from '../More.tsx'
import { About } from './About.tsx'
import { CountdownSection } from './CountdownSection.tsx'
import { Details } from './Details.tsx'
import { Faq } from './Faq.tsx'
import { Features } from './Features.tsx'
import { Footer } from './Footer.tsx'
import { Venue } from './Venue.tsx'

/** The sections of SPEC 2 in their order, and the footer. */
export const Sections = ({ event, facts, title }: MoreProps) => (
  <>
    <About event={event} facts={facts} />
    <Details event={event} facts={facts} />
    <CountdownSection event={event} />
    <Features features={event?.features ?? []} />
    <Venue venue={facts.venue} announced={event !== null} />
    <Faq />
    <Footer title={title} />
  </>
)
