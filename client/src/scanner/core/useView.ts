import { HOMES, type ViewOf } from '@garba/shared/contracts/site/pages'
import { create } from 'zustand'

const pathOf = (view: ViewOf<'qrchecker'>): string => `${HOMES.qrchecker}/${view}`
const PATHS = {
  scan: HOMES.qrchecker,
  readiness: pathOf('readiness'),
  testCode: pathOf('test-code'),
  pair: pathOf('pair'),
  evening: pathOf('evening'),
  sell: pathOf('sell'),
} as const
export type View = keyof typeof PATHS

const BELOW = ['readiness', 'testCode', 'pair', 'evening', 'sell'] as const
const viewOf = (path: string): View => BELOW.find((view) => path.startsWith(PATHS[view])) ?? 'scan'

/** Which of the scanner's pages is shown; each has its own address, so that Back works. */
const useViewStore = create<{ view: View }>(() => ({ view: viewOf(location.pathname) }))
window.addEventListener('popstate', () => useViewStore.setState({ view: viewOf(location.pathname) }))

/** Whether the camera's picture fills the screen: toasts must then leave its frame and the status line free. */
export const useOverPicture = create<{ over: boolean }>(() => ({ over: false }))

export const useView = (): View => useViewStore(({ view }) => view)

export function goTo(view: View): void {
  if (useViewStore.getState().view === view) return
  history.pushState(null, '', PATHS[view])
  useViewStore.setState({ view })
  window.scrollTo(0, 0)
}
