import { Maximize } from 'lucide-react'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { gateButtonId, gatePath } from '../gate/paths.ts'
import type { Counts } from '../tickets/status.ts'
import { useWords } from '../words.ts'
import { usePerson } from './usePerson.ts'
import styles from './Welcome.module.css'

/** The welcome, and for who has a ticket the one thing that matters at the gate. */
export const Welcome = ({ counts }: { counts: Counts | null }) => {
  const words = useWords()
  const { name } = usePerson()
  const active = counts?.active ?? 0
  return (
    <header className={styles.welcome}>
      <GarboRings className={styles.rings} still />
      <div className={styles.words}>
        <h1 className={styles.title}>{words.welcome(name)}</h1>
        <p className={styles.role}>{words.loggedInAs}</p>
      </div>
      {active === 0 ? null : (
        <div className={styles.ready}>
          <p>{words.readyCount(active)}</p>
          <ButtonLink
            id={gateButtonId()}
            to={gatePath()}
            tone="primary"
            size="lg"
            icon={<Maximize aria-hidden="true" />}
          >
            {words.list.showAtGate}
          </ButtonLink>
        </div>
      )}
    </header>
  )
}
