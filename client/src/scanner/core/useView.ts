import { HOMES, type ViewOf } from '@garba/shared/contracts/site/pages'
import { create } from 'zustand'

const buildViewPath = (view: ViewOf<'qrchecker'>): string => `${HOMES.qrchecker}/${view}`
const PATHS = {
  scan: HOMES.qrchecker,
  readiness: buildViewPath('readiness'),
  testCode: buildViewPath('test-code'),
  pair: buildViewPath('pair'),
  evening: buildViewPath('evening'),
  sell: buildViewPath('sell'),
} as const
export type View = keyof typeof PATHS

const BELOW = ['readiness', 'testCode', 'pair', 'evening', 'sell'] as const
const parseViewPath = (path: string): View => BELOW.find((view) => path.startsWith(PATHS[view])) ?? 'scan'

const useViewStore = create<{ view: View }>(() => ({ view: parseViewPath(location.pathname) }))
window.addEventListener('popstate', () => useViewStore.setState({ view: parseViewPath(location.pathname) }))

export const useOverPicture = create<{ over: boolean }>(() => ({ over: false }))

export const useView = (): View => useViewStore(({ view }) => view)

export function goTo(view: View): void {
  if (useViewStore.getState().view === view) return
  history.pushState(null, '', PATHS[view])
  useViewStore.setState({ view })
  window.scrollTo(0, 0)
}
