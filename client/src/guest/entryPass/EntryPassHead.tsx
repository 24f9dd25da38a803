import { Sun, X } from 'lucide-react'
import { IconButton } from '../../kit/IconButton.tsx'
import { useWords } from '../words.ts'
import styles from './EntryPass.module.css'

export const EntryPassHead = ({ awake, onClose }: { awake: boolean; onClose: () => void }) => {
  const { entryPass: words, close } = useWords()
  return (
    <header className={styles.head}>
      <p className={styles.hint}>
        <Sun aria-hidden="true" />
        {awake ? words.bright : words.brightOnly}
      </p>
      <IconButton label={close} icon={<X aria-hidden="true" />} onClick={onClose} />
    </header>
  )
}
