import { SHELL } from '@garba/shared/messages/shell'
import { useConfig } from '../platform/config.ts'
import styles from './DemoNote.module.css'

/** DECISIONS 1: the page says that it is a demo. */
export const DemoNote = () => {
  const demo = useConfig(({ config }) => config?.demo ?? false)
  return demo ? <aside className={styles.note}>{SHELL.demo.note}</aside> : null
}
