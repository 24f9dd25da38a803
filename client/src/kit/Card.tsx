import type { ComponentProps, ReactNode } from 'react'
import { createContext, use } from 'react'
import styles from './Card.module.css'
import { cx } from './cx.ts'
import surfaceStyles from './Surface.module.css'

interface CardProps extends Omit<ComponentProps<'section'>, 'title'> {
  title?: ReactNode
  /** The heading's level on this page. */
  level?: 2 | 3 | 4
  /** At the right of the title. */
  actions?: ReactNode
  /** No inner padding: for tables and pictures. */
  flush?: boolean
}

export const Card = ({ title, level = 2, actions, flush, className, children, ...rest }: CardProps) => {
  const Heading = `h${level}` as const
  return (
    <section className={cx(styles.card, flush && styles.flush, className)} {...rest}>
      {title === undefined ? null : (
        <header className={styles.head}>
          <Heading className={styles.title}>{title}</Heading>
          {actions}
        </header>
      )}
      {children}
    </section>
  )
}

type SurfaceTone = 'night' | 'paper'

const SurfaceContext = createContext<SurfaceTone>('night')

/** The current surface. Popups are rendered at the end of the body, outside the wrapper, and take their colours from it. */
export const useSurface = (): SurfaceTone => use(SurfaceContext)

/** Sets the colours of everything inside it, dialogs and menus included. `page` fills the window's height. */
export const Surface = ({ tone, page, children }: { tone: SurfaceTone; page?: boolean; children: ReactNode }) => (
  <SurfaceContext value={tone}>
    <div data-surface={tone} className={page ? surfaceStyles.page : surfaceStyles.surface}>
      {children}
    </div>
  </SurfaceContext>
)
