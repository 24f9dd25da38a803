import { MapPin } from 'lucide-react'
import { AnchorButton } from '../../../kit/Button.tsx'
import { mapsLink } from '../maps.ts'
import { Section } from './Section.tsx'
import styles from './Venue.module.css'
import { useSectionWords } from './words.ts'

/** Where it is, and a press that opens the phone's maps there. A venue yet unknown has no place on a map. */
export const Venue = ({ venue, announced }: { venue: string; announced: boolean }) => {
  const words = useSectionWords()
  return (
    <Section id="venue" title={words.venue.title}>
      <div className={styles.place}>
        <div className={styles.pin} aria-hidden="true">
          <svg viewBox="-50 -50 100 100" aria-hidden="true">
            <circle r="20" pathLength="20" />
            <circle r="32" pathLength="32" />
            <circle r="45" pathLength="44" />
          </svg>
          <MapPin />
        </div>
        <address className={styles.address}>{venue}</address>
        {announced ? (
          <AnchorButton href={mapsLink(venue, navigator.userAgent)} target="_blank" rel="noopener noreferrer">
            {words.venue.openMaps}
          </AnchorButton>
        ) : null}
      </div>
    </Section>
  )
}
