import { CircleCheck, CircleDashed, CircleMinus, CircleX, ClipboardCheck, TriangleAlert } from 'lucide-react'
import { type ReactNode, useCallback, useRef } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { cx } from '../../kit/cx.ts'
import { Spinner } from '../../kit/Spinner.tsx'
import { usePageTitle } from '../../platform/page.ts'
import { CHECKS, type CheckName } from '../core/readiness.ts'
import { READINESS } from '../texts/phone.ts'
import checkRowStyles from './CheckRow.module.css'
import styles from './ReadinessScreen.module.css'
import { openChecks, type Result, useReadiness } from './useReadiness.ts'

export default function ReadinessScreen({ top }: { top: ReactNode }) {
  usePageTitle(READINESS.title)
  const video = useRef<HTMLVideoElement | null>(null)
  const { results, running, runAll, sound, selfTest } = useReadiness(video)
  const { aiming, control, camera } = selfTest
  const attach = useCallback(
    (element: HTMLVideoElement | null) => {
      video.current = element
      control.attach(element)
    },
    [control],
  )
  const open = openChecks(results)
  const actions: Partial<Record<CheckName, ReactNode>> = {
    sound:
      sound.at === 'played' ? (
        <>
          <p className={styles.asks}>{READINESS.sound.asks}</p>
          <Button tone="primary" onClick={() => sound.confirm(true)}>
            {READINESS.sound.heard}
          </Button>
          <Button onClick={() => sound.confirm(false)}>{READINESS.sound.silent}</Button>
        </>
      ) : (
        <Button busy={sound.at === 'playing'} onClick={() => void sound.play()}>
          {READINESS.sound.play}
        </Button>
      ),
    handScanner: <p className={styles.asks}>{READINESS.handScanner.how}</p>,
    selfTest: (
      <>
        <p className={styles.asks}>{aiming ? READINESS.selfTest.waiting : READINESS.selfTest.how}</p>
        <Button disabled={running} onClick={() => (aiming ? selfTest.stop() : void selfTest.aim())}>
          {aiming ? READINESS.selfTest.stop : READINESS.selfTest.start}
        </Button>
      </>
    ),
  }
  const isOn = camera.phase.type !== 'off' && camera.fault === null
  return (
    <main className={styles.page}>
      <div className={styles.head}>
        {top}
        <h1>{READINESS.title}</h1>
        <p className={styles.detail}>{READINESS.detail}</p>
        <Button tone="primary" size="lg" block busy={running} icon={<ClipboardCheck />} onClick={() => void runAll()}>
          {running ? READINESS.running : READINESS.run}
        </Button>
        <div role="status">
          {open.length === 0 ? <Banner tone="ok" title={READINESS.ready} /> : null}
          {open.length > 0 && !running && open.length < CHECKS.length ? (
            <Banner tone="warn" title={READINESS.notReady(open.length)} />
          ) : null}
        </div>
        <video ref={attach} className={cx(styles.video, isOn && styles.on)} muted playsInline />
      </div>
      <ul className={styles.list}>
        {CHECKS.map((name) => (
          <CheckRow key={name} title={READINESS[name].title} result={results[name]}>
            {actions[name]}
          </CheckRow>
        ))}
      </ul>
    </main>
  )
}

const ICONS = {
  untested: CircleDashed,
  testing: null,
  good: CircleCheck,
  weak: TriangleAlert,
  bad: CircleX,
  absent: CircleMinus,
} as const

const CheckRow = ({ title, result, children }: { title: string; result: Result; children?: ReactNode }) => {
  const Icon = ICONS[result.type]
  const word = result.type === 'untested' ? READINESS.untested : READINESS.states[result.type]
  return (
    <li className={checkRowStyles.row} data-check={result.type}>
      <span className={cx(checkRowStyles.mark, checkRowStyles[result.type])}>
        {Icon === null ? <Spinner size={24} /> : <Icon />}
      </span>
      <div>
        <h2 className={checkRowStyles.title}>{title}</h2>
        <p className={result.type === 'untested' ? 'spoken' : checkRowStyles.detail}>
          <strong className={checkRowStyles[result.type]}>{word}</strong>
          {'detail' in result ? `: ${result.detail}` : ''}
        </p>
        {children === undefined ? null : <div className={checkRowStyles.actions}>{children}</div>}
      </div>
    </li>
  )
}
