import { Spinner } from '../kit/Spinner.tsx'
import styles from './Waiting.module.css'

/** A screen that is on its way. */
export const Waiting = ({ text }: { text: string }) => (
  <div className={styles.waiting} role="status">
    <Spinner size={32} />
    <p>{text}</p>
  </div>
)
