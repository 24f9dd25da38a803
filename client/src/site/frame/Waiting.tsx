import { Spinner } from '../../kit/Spinner.tsx'
import { useWords } from '../words.ts'
import styles from './Waiting.module.css'

/** A screen that is loading. */
export const Waiting = ({ text }: { text: string }) => (
  <div className={styles.waiting} role="status">
    <Spinner size={32} />
    <p>{text}</p>
  </div>
)

/** SPEC 2 "Dashboard routing". */
export const LoadingDashboard = () => <Waiting text={useWords().screens.loadingDashboard} />
export const Redirecting = () => <Waiting text={useWords().screens.redirecting} />
