import { GarboRings } from '../../kit/GarboRings.tsx'
import { useWords } from '../words.ts'
import { usePerson } from './usePerson.ts'
import styles from './Welcome.module.css'

export const Welcome = () => {
  const words = useWords()
  const { name } = usePerson()
  return (
    <header>
      <GarboRings className={styles.rings} faint />
      <h1 className={styles.title}>{words.welcome(name)}</h1>
      <p className={styles.role}>{words.loggedInAs}</p>
    </header>
  )
}
