import { Maximize } from 'lucide-react'
import { Avatar } from '../../kit/Avatar.tsx'
import { Badge } from '../../kit/Badge.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { Card } from '../../kit/Card.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { useFormat } from '../format.ts'
import { entryPassButtonId, entryPassPath } from '../paths.ts'
import type { Counts } from '../tickets/status.ts'
import { useWords } from '../words.ts'
import userCardStyles from './UserCard.module.css'
import { usePerson } from './usePerson.ts'
import styles from './Welcome.module.css'

/** The welcome and, for ticket holders, the one button that matters at the gate. */
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
            id={entryPassButtonId()}
            to={entryPassPath()}
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

export const UserCard = () => {
  const { user } = useWords()
  const format = useFormat()
  const { name, email, photo, since } = usePerson()
  return (
    <Card title={user.title}>
      <div className={userCardStyles.person}>
        <Avatar name={name} photo={photo} size={56} />
        <div className={userCardStyles.words}>
          <p className={userCardStyles.name}>{name}</p>
          <Badge>{user.guest}</Badge>
        </div>
      </div>
      <dl className={userCardStyles.facts}>
        <div>
          <dt>{user.email}</dt>
          <dd>{email}</dd>
        </div>
        {since === null ? null : (
          <div>
            <dt>{user.since}</dt>
            <dd>{format.date(since)}</dd>
          </div>
        )}
      </dl>
    </Card>
  )
}
