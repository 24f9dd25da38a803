import { Avatar } from '../../kit/Avatar.tsx'
import { Badge } from '../../kit/Badge.tsx'
import { Card } from '../../kit/Card.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { Email } from '../Email.tsx'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import userCardStyles from './UserCard.module.css'
import { usePerson } from './usePerson.ts'
import styles from './Welcome.module.css'

export const Welcome = () => {
  const words = useWords()
  const { name } = usePerson()
  return (
    <header>
      <GarboRings className={styles.rings} still />
      <h1 className={styles.title}>{words.welcome(name)}</h1>
      <p className={styles.role}>{words.loggedInAs}</p>
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
          <dd>
            <Email address={email} />
          </dd>
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
