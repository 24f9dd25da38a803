import { COUNT_GROUPS, type CountGroup, MOVEMENTS } from '@garba/shared/contracts/names'
import { getCrowdLevel } from '@garba/shared/rules/event/inside'
import { LogIn, LogOut, Minus, Plus, Users } from 'lucide-react'
import { toast } from 'sonner'
import { getErrorMessage } from '../../../platform/http/failure.ts'
import { countWithoutCode } from '../../scan/leave.ts'
import { setMode, useMode } from '../../scan/mode.ts'
import { useRoster } from '../../store/rosterMemory.ts'
import { COUNTING, CROWD, MODES } from '../../texts/movement.ts'
import styles from './Modes.module.css'

const ICONS = { entry: LogIn, exit: LogOut, count: Users } as const

/** What a scan means on this phone, always in view. It is away from the thumb, which must not change it by chance. */
export const Modes = () => {
  const { mode } = useMode()
  return (
    <fieldset className={styles.modes} data-modes={mode}>
      <legend className="spoken">{MODES.label}</legend>
      {MOVEMENTS.map((one) => {
        const Icon = ICONS[one]
        return (
          <button key={one} type="button" data-mode={one} aria-pressed={mode === one} onClick={() => setMode(one)}>
            <Icon />
            {MODES[one]}
          </button>
        )
      })}
    </fieldset>
  )
}

/** From this share of the capacity on, the gate holds people back before the ground is full. */
const HOLD_SHARE = 0.01

export const CrowdStrip = () => {
  const { inside, capacity } = useRoster()
  const level = inside === null ? null : getCrowdLevel(inside, capacity)
  if (inside === null || capacity === null || level === null) return null
  const left = Math.max(0, capacity - inside)
  const isHeld = left <= capacity * HOLD_SHARE
  return (
    <p className={styles.crowd} role="status" data-crowd={level}>
      <Users />
      {left === 0 ? CROWD.full : isHeld ? CROWD.hold(left) : CROWD.nearly(left)}
    </p>
  )
}

/** People without a code, one tap each. Every tap is written down here before it is sent. */
export const CountPanel = () => (
  <section className={styles.panel} aria-label={COUNTING.label}>
    {COUNT_GROUPS.map((group) => (
      <CountLine key={group} group={group} />
    ))}
  </section>
)

const CountLine = ({ group }: { group: CountGroup }) => {
  const label = COUNTING.groups[group]
  const count = (change: number) =>
    countWithoutCode(group, change).then(
      () => navigator.vibrate?.(30),
      (error: unknown) => toast.error(getErrorMessage(error)),
    )
  return (
    <div className={styles.line}>
      <button type="button" aria-label={COUNTING.less(label)} onClick={() => void count(-1)}>
        <Minus />
      </button>
      <span>{label}</span>
      <button type="button" aria-label={COUNTING.more(label)} onClick={() => void count(1)}>
        <Plus />
      </button>
    </div>
  )
}
