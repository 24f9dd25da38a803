import { NAME_MAX } from '@garba/shared/constants'
import { useQueryClient } from '@tanstack/react-query'
import { lazy } from 'react'
import { Badge } from '../../kit/Badge.tsx'
import { Card } from '../../kit/Card.tsx'
import { Email } from '../../kit/Email.tsx'
import { GarboRings } from '../../kit/GarboRings.tsx'
import { Avatar } from '../../kit/Person.tsx'
import { saveName } from '../../platform/identity/actions.ts'
import { usePerson } from '../../platform/identity/person.ts'
import { useUser } from '../../platform/identity/session.ts'
import { useOnline } from '../../platform/net/connectivity.ts'
import { queries } from '../../platform/queries.ts'
import { useFormat } from '../format.ts'
import { NameButton } from '../NameButton.tsx'
import { useWords } from '../words.ts'
import styles from './UserCard.module.css'
import welcomeStyles from './Welcome.module.css'

export const UserCard = () => {
  const { user } = useWords()
  const format = useFormat()
  const { name, email, photo, since } = usePerson()
  return (
    <Card title={user.title}>
      <div className={styles.user}>
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
            <dd>
              <Email address={email} />
            </dd>
          </div>
          {since === null ? null : (
            <>
              <div>
                <dt>{user.since}</dt>
                <dd>{format.date(since)}</dd>
              </div>
              <div>
                <dt>{user.ticketName}</dt>
                <dd className={styles.changeable}>
                  <span>{name}</span>
                  <ChangeName name={name} />
                </dd>
              </div>
            </>
          )}
        </dl>
      </div>
    </Card>
  )
}

/** `slim` leaves the page to the tickets. */
export const Welcome = ({ slim = false }: { slim?: boolean }) => {
  const words = useWords()
  const { name } = usePerson()
  return (
    <header className={slim ? welcomeStyles.slim : undefined}>
      {slim ? null : <GarboRings className={welcomeStyles.rings} faint />}
      <h1 className={welcomeStyles.title}>{words.welcome(name)}</h1>
      <p className={welcomeStyles.role}>{words.loggedInAs}</p>
    </header>
  )
}

// Loaded after the tickets, because it is rarely opened.
const NameDialog = lazy(async () => ({ default: (await import('../NameDialog.tsx')).NameDialog }))

/** The person's name, which is also on their active tickets, except on those with a name of their own. */
const ChangeName = ({ name }: { name: string }) => {
  const { user } = useWords()
  const client = useQueryClient()
  const userId = useUser()?._id ?? ''
  const online = useOnline()
  return (
    <NameButton label={user.changeName} online={online}>
      {(dialog) => (
        <NameDialog
          words={{ title: user.ticketName, text: user.ticketNameText, field: user.yourName }}
          name={name}
          min={1}
          max={NAME_MAX}
          save={async (next) => {
            await saveName(next)
            await client.invalidateQueries({ queryKey: queries.myTickets(userId).queryKey })
          }}
          {...dialog}
        />
      )}
    </NameButton>
  )
}
