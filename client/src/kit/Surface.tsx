import { createContext, type ReactNode, use } from 'react'
import styles from './Surface.module.css'

type SurfaceTone = 'night' | 'paper'

interface Attributes {
  'data-surface': SurfaceTone
  lang?: string
}

const SurfaceContext = createContext<Attributes>({ 'data-surface': 'night' })

/** The current surface's colours and language, which popups need too: they are at the end of the body, outside the wrapper. */
export const useSurface = (): Attributes => use(SurfaceContext)

type SurfaceProps = Pick<Attributes, 'lang'> & { tone: SurfaceTone; page?: boolean; children: ReactNode }

/** Sets colours and language of everything inside it, dialogs and menus included. `page` fills the window's height. */
export const Surface = ({ tone, page, children, ...language }: SurfaceProps) => {
  const attributes = { 'data-surface': tone, ...language }
  return (
    <SurfaceContext value={attributes}>
      <div {...attributes} className={page ? styles.page : styles.surface}>
        {children}
      </div>
    </SurfaceContext>
  )
}
