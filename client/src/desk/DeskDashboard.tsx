import { HOMES, type ViewOf } from '@garba/shared/contracts/site/pages'
import { SCANNER_KEYS } from '@garba/shared/messages/gate'
import { SUCCESS_TOASTS } from '@garba/shared/messages/toasts'
import { type MutationCacheNotifyEvent, type QueryCacheNotifyEvent, useQueryClient } from '@tanstack/react-query'
import { Ellipsis, Search, ShieldX } from 'lucide-react'
import {
  type ComponentType,
  lazy,
  type RefObject,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { Link, matchPath, Navigate, NavLink, Route, Routes, useLocation, useNavigate } from 'react-router'
import { toast } from 'sonner'
import { Button } from '../kit/Button.tsx'
import { cx } from '../kit/cx.ts'
import { createLazyComponent } from '../kit/late.tsx'
import { Menu, MenuItem, MenuLink } from '../kit/Menu.tsx'
import { Spinner } from '../kit/Spinner.tsx'
import { Surface } from '../kit/Surface.tsx'
import { endLinksAgain } from '../platform/endedLinks.ts'
import { callServer } from '../platform/http/call.ts'
import { useEpoch } from '../platform/http/epoch.ts'
import { getErrorMessage, isFailure } from '../platform/http/failure.ts'
import { refreshUser, requestAdmin } from '../platform/identity/actions.ts'
import { setCurrentUser } from '../platform/identity/device.ts'
import { listenToScanner, type ScannerInput } from '../platform/keys/scannerKeys.ts'
import { MAIN_ID, usePageTitle } from '../platform/page.ts'
import styles from './DeskDashboard.module.css'
import { useDeletionsOnLeaving } from './frame/deletions.ts'
import { useDeskEvent } from './frame/deskEvent.ts'
import { type Desk, usePlaces } from './frame/places.ts'
import { DESK } from './texts/desk.ts'
import { FIGURES } from './texts/figures.ts'

const view = (fetch: () => Promise<{ default: ComponentType }>) =>
  createLazyComponent(fetch, <Spinner label={DESK.loading} />)

const COMMON = {
  users: view(() => import('./users/UsersView.tsx')),
  analytics: view(() => import('./analytics/AnalyticsView.tsx')),
  gate: view(() => import('./evening/EveningView.tsx')),
  'gate/register': view(() => import('./register/RegisterView.tsx')),
  'gate/evacuation': view(() => import('./register/EvacuationView.tsx')),
  money: view(() => import('./money/MoneyView.tsx')),
}

const DESKS = {
  admin: {
    Home: view(() => import('./home/AdminHome.tsx')),
    views: {
      ...COMMON,
      tickets: view(() => import('./tickets/TicketsView.tsx')),
      'tickets/lost': view(() => import('./lost/LostTicketsView.tsx')),
      orders: view(() => import('./orders/OrdersView.tsx')),
      'orders/sell': view(() => import('./sell/SellView.tsx')),
      'orders/:code': view(() => import('./orders/OrderView.tsx')),
      'money/statement': view(() => import('./banking/StatementView.tsx')),
      'money/payouts': view(() => import('./banking/PayoutsView.tsx')),
      event: view(() => import('./event/EventManager.tsx')),
      'event/codes': view(() => import('./codes/CodesView.tsx')),
      devices: view(() => import('./devices/DevicesView.tsx')),
      audit: view(() => import('./audit/AuditView.tsx')),
      mails: view(() => import('./mails/MailsView.tsx')),
    },
  },
  manager: { Home: view(() => import('./home/ManagerHome.tsx')), views: COMMON },
} as const satisfies { [D in 'admin' | 'manager']: { Home: ComponentType; views: Record<ViewOf<D>, ComponentType> } }

/** A hardware scanner changes nothing on the desk: only Find and the search of tickets take its codes. */
function sayNotHere(input: ScannerInput): void {
  const text = input.type === 'other' ? SCANNER_KEYS.taken(input.text) : DESK.scanned[input.type]
  toast.error(text, { id: text })
}

/** The views are nested routes, so that Back works. */
export default function DeskDashboard({ desk }: { desk: keyof typeof DESKS }) {
  const { denied, retry } = useDenied(desk)
  useDeletionsOnLeaving()
  useEffect(() => listenToScanner(sayNotHere, { atGate: false }), [])
  const { epoch } = useEpoch()
  useEffect(() => void (epoch >= 0 && endLinksAgain()), [epoch])
  return (
    <Surface tone="paper" lang="en">
      <div className={styles.desk}>
        {denied ? null : <Rail desk={desk} />}
        <main id={MAIN_ID} tabIndex={-1} className={styles.page}>
          {denied ? <AccessDenied onAdmitted={retry} /> : <Views desk={desk} />}
        </main>
      </div>
    </Surface>
  )
}

const Views = ({ desk }: { desk: keyof typeof DESKS }) => {
  const { Home, views } = DESKS[desk]
  return (
    <Routes>
      <Route index element={<Home />} />
      {Object.entries(views).map(([path, View]) => (
        <Route key={path} path={path} element={<View />} />
      ))}
      <Route path="*" element={<Navigate to={HOMES[desk]} replace />} />
    </Routes>
  )
}

const DeskPalette = lazy(() => import('./palette/DeskPalette.tsx'))

const words = DESK.rail
const IN_BAR = 4

const Rail = ({ desk }: { desk: Desk }) => {
  const { eventQuery } = useDeskEvent()
  const places = usePlaces(desk, eventQuery.event)
  const rest = places.slice(IN_BAR)
  const { pathname } = useLocation()
  const isUnderMore = rest.some(({ to }) => matchPath(to.split('?')[0] ?? to, pathname) !== null)
  const { finding, find, close } = useFinding()
  const nav = useRef<HTMLElement>(null)
  useOneTabStop(nav)
  return (
    <div className={styles.rail}>
      <nav ref={nav} className={styles.nav} aria-label={words.label} aria-description={words.arrows}>
        <button
          type="button"
          className={cx(styles.place, styles.find, rest.length > 0 && styles.rest)}
          aria-keyshortcuts="Control+K Meta+K"
          onClick={find}
        >
          <Search />
          <span>{words.find}</span>
          <span className={styles.keys} aria-hidden="true">
            {isMac() ? '⌘K' : 'Ctrl K'}
          </span>
        </button>
        {places.map(({ to, label, Icon }, index) => (
          <NavLink key={to} to={to} end={index === 0} className={cx(styles.place, index >= IN_BAR && styles.rest)}>
            <Icon />
            <span>{label}</span>
          </NavLink>
        ))}
        {rest.length === 0 ? null : (
          <div className={styles.more}>
            <Menu
              trigger={
                <button type="button" className={styles.place} aria-current={isUnderMore || undefined}>
                  <Ellipsis />
                  <span>{words.more}</span>
                </button>
              }
            >
              {rest.map(({ to, label, Icon }) => (
                <MenuLink key={to} icon={<Icon />} render={<Link to={to} />}>
                  {label}
                </MenuLink>
              ))}
              <MenuItem icon={<Search />} onSelect={find}>
                {words.find}
              </MenuItem>
            </Menu>
          </div>
        )}
      </nav>
      {finding === 'never' ? null : (
        <Suspense fallback={null}>
          <DeskPalette desk={desk} open={finding === 'open'} onClose={close} />
        </Suspense>
      )}
    </div>
  )
}

/** The views are one tab stop, on the open view; the arrows, Home and End move between them. */
function useOneTabStop(nav: RefObject<HTMLElement | null>) {
  // On each render, because the open view changes with the address.
  useEffect(() => setTabStop(nav.current))
  // A layout effect, so that a key pressed right after the first paint is not lost.
  useLayoutEffect(() => {
    const root = nav.current
    if (root === null) return
    const updateTabStop = () => setTabStop(root)
    const pressed = (event: KeyboardEvent) => {
      if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
      const next = event.target instanceof HTMLElement ? nextView(viewsIn(root), event.target, event.key) : undefined
      if (next === undefined) return
      event.preventDefault()
      next.focus()
    }
    root.addEventListener('focusin', updateTabStop)
    root.addEventListener('keydown', pressed)
    window.addEventListener('resize', updateTabStop)
    return () => {
      root.removeEventListener('focusin', updateTabStop)
      root.removeEventListener('keydown', pressed)
      window.removeEventListener('resize', updateTabStop)
    }
  }, [nav])
}

const viewsIn = (root: HTMLElement): HTMLElement[] =>
  [...root.querySelectorAll<HTMLElement>('a, [aria-haspopup]')].filter((view) => view.checkVisibility?.() ?? true)

function setTabStop(root: HTMLElement | null) {
  const views = root === null ? [] : viewsIn(root)
  const focused = views.find((view) => view === document.activeElement)
  const stop = focused ?? views.find((view) => view.hasAttribute('aria-current')) ?? views[0]
  for (const view of views) view.tabIndex = view === stop ? 0 : -1
}

const STEPS: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 }

function nextView(views: readonly HTMLElement[], from: HTMLElement, key: string): HTMLElement | undefined {
  const at = views.indexOf(from)
  // Up and down open the menu of further views.
  if (at === -1 || (from instanceof HTMLButtonElement && /^Arrow(Up|Down)$/.test(key))) return undefined
  if (key === 'Home') return views[0]
  if (key === 'End') return views.at(-1)
  const step = STEPS[key]
  return step === undefined ? undefined : views[at + step]
}

const isMac = () => /mac|iphone|ipad/i.test(navigator.platform)

function useFinding() {
  const [finding, setFinding] = useState<'never' | 'open' | 'closed'>('never')
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey || event.key.toLowerCase() !== 'k') return
      event.preventDefault()
      setFinding((before) => {
        if (before === 'open') return 'closed'
        return document.querySelector('[role="dialog"], [role="alertdialog"]') ? before : 'open'
      })
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
  return { finding, find: () => setFinding('open'), close: () => setFinding('closed') }
}

const accessDeniedWords = FIGURES.denied

/** Adopts a new role that still has a desk, such as an admin who became a manager; RequireRole then leads there. */
async function followRole(): Promise<void> {
  const { user } = await callServer('me')
  if (user.role === 'admin' || user.role === 'manager') await setCurrentUser(user)
}

const AccessDenied = ({ onAdmitted }: { onAdmitted: () => void }) => {
  const client = useQueryClient()
  const navigate = useNavigate()
  const [asking, setAsking] = useState(false)
  usePageTitle(accessDeniedWords.title)

  const ask = useCallback(
    async ({ aloud }: { aloud: boolean }) => {
      setAsking(true)
      try {
        await requestAdmin()
        await client.resetQueries()
        toast.success(SUCCESS_TOASTS.adminAssigned)
        onAdmitted()
      } catch (error) {
        if (aloud) toast.error(getErrorMessage(error))
        else await followRole().catch((failed: unknown) => console.info('The role is not known now', failed))
      } finally {
        setAsking(false)
      }
    },
    [client, onAdmitted],
  )
  useEffect(() => void ask({ aloud: false }), [ask])

  const leave = async () => {
    try {
      // The session must know the role first, or RequireRole would lead straight back here.
      await refreshUser()
      await navigate('/dashboard', { replace: true })
    } catch (error) {
      toast.error(getErrorMessage(error))
    }
  }
  return (
    <section className={styles.denied}>
      <span className={styles.icon}>
        <ShieldX size={32} />
      </span>
      <div role="alert">
        <p className="soft">{accessDeniedWords.required}</p>
        <h1 className={styles.title}>{accessDeniedWords.title}</h1>
        <p>{accessDeniedWords.text}</p>
      </div>
      <div className={styles.buttons}>
        <Button tone="primary" busy={asking} onClick={() => ask({ aloud: true })}>
          {asking ? accessDeniedWords.requesting : accessDeniedWords.request}
        </Button>
        <Button onClick={leave}>{accessDeniedWords.guest}</Button>
      </div>
    </section>
  )
}

const isDenial = (error: unknown) =>
  isFailure(error) && (error.code === 'FORBIDDEN' || error.code === 'ROLES_ADMIN_ONLY')

/**
 * Whether the server has refused this account: a role removed during a session shows at the next call, while the session on
 * this device still has the old role. An admin may also be refused for another reason, such as somebody else's drawer, so the
 * server is asked for the role. `retry` forgets the refusal.
 */
function useDenied(desk: Desk): { denied: boolean; retry: () => void } {
  const client = useQueryClient()
  const [denied, setDenied] = useState(false)
  useEffect(() => {
    let asking = false
    const ask = async () => {
      asking = true
      try {
        setDenied((await callServer('me')).user.role !== desk)
      } catch (error) {
        console.info('The role is not known now', error)
      }
      asking = false
    }
    const notice = (event: QueryCacheNotifyEvent | MutationCacheNotifyEvent) => {
      if (event.type === 'updated' && event.action.type === 'error' && isDenial(event.action.error) && !asking)
        void ask()
    }
    const stops = [client.getQueryCache().subscribe(notice), client.getMutationCache().subscribe(notice)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client, desk])
  const retry = useCallback(() => setDenied(false), [])
  return { denied, retry }
}
