import { ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import styles from './Home.module.css'

interface TileProps {
  to: string
  icon: ReactNode
  title: string
  text: string
}

/** Where the dashboard leads. */
export const Tile = ({ to, icon, title, text }: TileProps) => (
  <Link to={to} className={styles.tile}>
    <span className={styles.tileIcon} aria-hidden="true">
      {icon}
    </span>
    <span className={styles.tileWords}>
      <span className={styles.tileTitle}>{title}</span>
      <span className={styles.soft}>{text}</span>
    </span>
    <ChevronRight aria-hidden="true" className={styles.tileArrow} />
  </Link>
)

export const Tiles = ({ children }: { children: ReactNode }) => <nav className={styles.tiles}>{children}</nav>
