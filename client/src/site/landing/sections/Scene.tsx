import drawings from './drawings.svg'
import styles from './Scene.module.css'

const BOXES = {
  dancers: '0 0 420 226',
  sticks: '0 0 240 140',
  lamp: '0 0 240 186',
  dhol: '0 0 260 152',
  ground: '0 0 520 228',
} as const

export type SceneName = keyof typeof BOXES

export const Scene = ({ name }: { name: SceneName }) => (
  <svg viewBox={BOXES[name]} className={styles.scene} data-scene={name} aria-hidden="true">
    <use href={`${drawings}#${name}`} />
  </svg>
)
