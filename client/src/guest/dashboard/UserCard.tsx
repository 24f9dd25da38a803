import { Avatar } from '../../kit/Avatar.tsx'
import { Badge } from '../../kit/Badge.tsx'
import { Card } from '../../kit/Card.tsx'
import { useFormat } from '../format.ts'
import { useWords } from '../words.ts'
import styles from './UserCard.module.css'
import { usePerson } from './usePerson.ts'

export const UserCard = () => {
  const { user } = useWords()
  const format = useFormat()
  const { name, email, photo, since } = usePerson()
  return (
    <Card title={user.title}>
      <div className={styles.person}>
        <Avatar name={name} photo={photo} size={56} />
        <div className={styles.words}>
          <p className={styles.name}>{name}</p>
          <Badge>{user.guest}</Badge>
        </div>
      </div>
      <dl className={styles.facts}>
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
