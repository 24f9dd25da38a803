import { useConfig } from '../platform/config.ts'
import styles from './DemoNote.module.css'
import { useWords } from './words.ts'

/** DECISIONS 1: the page says that it is a demo. */
export const DemoNote = () => {
  const { demoNote } = useWords()
  const demo = useConfig(({ config }) => config?.demo ?? false)
  return demo ? <aside className={styles.note}>{demoNote}</aside> : null
}
