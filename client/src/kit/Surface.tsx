import { createContext, type ReactNode, use } from 'react'
import surfaceStyles from './Surface.module.css'

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
