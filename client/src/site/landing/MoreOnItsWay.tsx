import { Button } from '../../kit/Button.tsx'
import { Spinner } from '../../kit/Spinner.tsx'
import { useWords } from '../words.ts'
import styles from './MoreOnItsWay.module.css'

/** Stands in for the sections until they are here. */
export const MoreOnItsWay = ({ failed, onRetry }: { failed: boolean; onRetry: () => void }) => {
  const { more } = useWords()
  return (
    <div className={styles.place}>
      {failed ? (
        <>
          <p role="alert">{more.failed}</p>
          <Button onClick={onRetry}>{more.retry}</Button>
        </>
      ) : (
        <Spinner size={32} label={more.loading} />
      )}
    </div>
  )
}
