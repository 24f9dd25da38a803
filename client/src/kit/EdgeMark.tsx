import styles from './EdgeMark.module.css'

/** More than any screen is high. */
const TIMES = 40

/** A word all along the left edge, over everything, that moves nothing and catches no press. `note` is what it means. */
export const EdgeMark = ({ text, note }: { text: string; note: string }) => (
  <aside className={styles.edge} aria-label={text} title={note}>
    <span>{text}</span>
    <span aria-hidden="true">{` · ${text}`.repeat(TIMES)}</span>
  </aside>
)
