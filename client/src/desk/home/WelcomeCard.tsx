import { Avatar } from '../../kit/Avatar.tsx'
import { Email } from '../../kit/Email.tsx'
import { useUser } from '../../platform/identity/session.ts'
import { FIGURES } from '../texts/figures.ts'
import styles from './Home.module.css'

export const WelcomeCard = ({ title }: { title: string }) => {
  const user = useUser()
  if (!user) return null
  const name = user.displayName || user.name || user.email
  return (
    <header className={styles.welcome}>
      <Avatar name={name} photo={user.profilePicture} size={40} />
      <div className={styles.who}>
        <p className={styles.kicker}>{title}</p>
        <h1 className={styles.hello}>{FIGURES.home.welcome(name)}</h1>
        <p className={styles.email}>
          <Email address={user.email} />
        </p>
      </div>
    </header>
  )
}
