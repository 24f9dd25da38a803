import { DEFAULT_EVENT_TITLE } from '@garba/shared/constants'
import { DASHBOARD, ORDER_ADDRESS, orderPage, POLICY_PAGES, type Policy } from '@garba/shared/contracts/site/pages'
import { lazy, Suspense, startTransition, useCallback, useEffect, useEffectEvent, useState } from 'react'
import { Navigate, Outlet, Route, Routes, useLocation, useParams } from 'react-router'
import { Button } from '../kit/Button.tsx'
import { createLazyComponent } from '../kit/late.tsx'
import { Spinner } from '../kit/Spinner.tsx'
import { waitForIdle } from '../platform/ahead.ts'
import { useConfig } from '../platform/config.ts'
import { useUser } from '../platform/identity/session.ts'
import { useLanguage } from '../platform/language.ts'
import { usePageTitle } from '../platform/page.ts'
import { refreshCurrentEvent, useCurrentEvent } from '../platform/store/event.ts'
import { takePurchase } from '../platform/wantedPurchase.ts'
import { useEnter } from './enter.ts'
import { DeadEnd, LoadingDashboard, Waiting } from './frame/Notice.tsx'
import { PageMain, Shell } from './frame/Shell.tsx'
import { buildEventFacts } from './landing/facts.ts'
import { Hero } from './landing/Hero.tsx'
import styles from './SiteRoutes.module.css'
import { Splash } from './splash/Splash.tsx'
import { useWords } from './words.ts'

const POLICIES = Object.keys(POLICY_PAGES) as Policy[]
export const Dashboards = createLazyComponent(
  () => import('./Dashboards.tsx'),
  <PageMain>
    <LoadingDashboard />
  </PageMain>,
)
const PolicyPage = lazy(async () => ({ default: (await import('./policies/PolicyPage.tsx')).PolicyPage }))

export const SiteRoutes = () => (
  <Routes>
    <Route element={<Shell />}>
      <Route index element={<Landing />} />
      {/* Each dashboard brings its own main: the desk has a rail beside it. */}
      <Route path={`${DASHBOARD}/*`} element={<Dashboards />} />
      <Route path={ORDER_ADDRESS} element={<ToOrder />} />
      <Route element={<MainAlone />}>
        {POLICIES.map((policy) => (
          <Route key={policy} path={POLICY_PAGES[policy]} element={<PolicyRoute policy={policy} />} />
        ))}
        <Route path="*" element={<NotFound />} />
      </Route>
    </Route>
  </Routes>
)

const PolicyRoute = ({ policy }: { policy: Policy }) => (
  <Suspense fallback={<Waiting text={useWords().header.loading} />}>
    <PolicyPage policy={policy} />
  </Suspense>
)

/** Leads from the short address in mails into the guest's scope, without anything that was added to the address. */
const ToOrder = () => {
  const { code = '' } = useParams()
  return <Navigate to={orderPage(code)} replace />
}

const MainAlone = () => (
  <PageMain>
    <Outlet />
  </PageMain>
)

const NotFound = () => <DeadEnd {...useWords().screens.notFound} />

const TURNS_AFTER_MS = 6_000

const Landing = () => {
  const title = useConfig(({ config }) => config?.eventTitle ?? DEFAULT_EVENT_TITLE)
  const words = useWords()
  const language = useLanguage((store) => store.language)
  const current = useCurrentEvent((store) => store.current)
  const event = current.type === 'known' ? current.event : null
  const facts = buildEventFacts({ event, words, language })
  const { more, fetchMore } = useMore()
  const [quantity, setQuantity] = useState(1)
  useInterruptedPress(setQuantity)
  const calm = useLater(more.type === 'here', TURNS_AFTER_MS)
  useEffect(() => {
    void refreshCurrentEvent()
    // A tab may come back after hours.
    document.addEventListener('visibilitychange', refreshCurrentEvent)
    return () => document.removeEventListener('visibilitychange', refreshCurrentEvent)
  }, [])
  usePrefetch()
  usePageTitle(null)
  return (
    <>
      <PageMain>
        <Hero
          name={event?.name ?? title}
          facts={current.type === 'asking' ? null : facts}
          event={event}
          calm={calm}
          splash={<Splash title={title} />}
          quantity={quantity}
          choice={
            more.type === 'here' && event ? (
              <more.parts.TicketChoice event={event} quantity={quantity} onChoose={setQuantity} />
            ) : null
          }
          otherWay={more.type === 'here' ? <more.parts.MailSignIn /> : null}
        />
        {more.type === 'here' ? (
          <more.parts.Sections event={event} facts={facts} />
        ) : (
          <MoreLoading failed={more.type === 'failed'} onRetry={fetchMore} />
        )}
      </PageMain>
      {more.type === 'here' ? <more.parts.Footer title={title} /> : null}
    </>
  )
}

/** Continues a press of Book, with its number, that a reload for newer code interrupted. */
function useInterruptedPress(choose: (quantity: number) => void) {
  const enter = useEnter()
  const goOn = useEffectEvent((kept: number) => {
    choose(kept)
    void enter(kept)
  })
  useEffect(() => {
    const kept = takePurchase()
    if (kept !== null) goOn(kept)
  }, [])
}

function useLater(begun: boolean, ms: number): boolean {
  const [over, setOver] = useState(false)
  useEffect(() => {
    if (!begun) return
    const timer = setTimeout(() => setOver(true), ms)
    return () => clearTimeout(timer)
  }, [begun, ms])
  return over
}

const MoreLoading = ({ failed, onRetry }: { failed: boolean; onRetry: () => void }) => {
  const { more } = useWords()
  return (
    <div className={styles.place}>
      {failed ? (
        <>
          <p role="alert">{more.failed}</p>
          <Button onClick={onRetry}>{more.retry}</Button>
        </>
      ) : (
        <Spinner size={32} label={more.loading} />
      )}
    </div>
  )
}

type Parts = typeof import('./landing/sections/Sections.tsx')
type More = { type: 'waiting' } | { type: 'failed' } | { type: 'here'; parts: Parts }

/** Once fetched, the sections render at once, so that Back finds the page at its old height. */
let fetched: Parts | null = null

function useMore(): { more: More; fetchMore: () => void } {
  const [more, setMore] = useState<More>(() => (fetched ? { type: 'here', parts: fetched } : { type: 'waiting' }))
  const fetchMore = useCallback(() => {
    import('./landing/sections/Sections.tsx').then(
      (parts) => {
        fetched = parts
        // Rendered in slices, so that a tap in between is answered.
        startTransition(() => setMore({ type: 'here', parts }))
      },
      (error: unknown) => {
        console.warn('The sections could not be fetched', error)
        setMore({ type: 'failed' })
      },
    )
  }, [])
  useWhenCalm(fetchMore)
  useHashTarget(more.type === 'here')
  return { more, fetchMore }
}

const IDLE_AT_MOST_MS = 1_500

function useWhenCalm(run: () => void) {
  useEffect(() => {
    let done = false
    const once = () => {
      if (!done) run()
      done = true
    }
    void waitForIdle(IDLE_AT_MOST_MS).then(once)
    window.addEventListener('scroll', once, { once: true, passive: true })
    return () => {
      done = true
      window.removeEventListener('scroll', once)
    }
  }, [run])
}

/** Scrolls to /#faq, which was requested before the FAQ was there. */
function useHashTarget(here: boolean) {
  const { hash } = useLocation()
  useEffect(() => {
    if (here && hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [here, hash])
}

function usePrefetch(): void {
  const user = useUser()
  const id = user?._id
  const role = user?.role
  useEffect(() => {
    if (id === undefined || (role !== 'guest' && role !== 'admin')) return
    import('./queryClient.ts').then(
      ({ prefetchDashboard }) => prefetchDashboard({ _id: id, role }),
      (error: unknown) => console.info('Nothing was prefetched', error),
    )
  }, [id, role])
}
