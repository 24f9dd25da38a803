import type { Days } from '@garba/shared/contracts/common'
import { dayBefore, isDay, toLocalDay } from '@garba/shared/rules/event/calendar'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { TextField } from '../../../kit/Field.tsx'
import { Select } from '../../../kit/Select.tsx'
import { serverNow } from '../../../platform/net/clock.ts'
import { DESK } from '../../texts/desk.ts'
import { calendarDay, shortCalendarDay, useDates } from '../dates.ts'
import styles from '../SaveDialog.module.css'
import { SaveDialog } from '../SaveDialog.tsx'
import { useUrlChange } from '../tableUrl.tsx'

const words = DESK.days

export const DAY_PARAMS = ['from', 'to'] as const

/** The range of days in the address. An invalid day counts as none. */
export function useDays(): Days {
  const [params] = useSearchParams()
  const [from, to] = DAY_PARAMS.map((name) => params.get(name) ?? '').map((day) => (isDay(day) ? day : undefined))
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

export const isNarrowed = ({ from, to }: Days): boolean => from !== undefined || to !== undefined

const PRESETS = { today: 1, week: 7, month: 30 } as const
type Preset = keyof typeof PRESETS
type Choice = Preset | 'all' | 'chosen' | 'choose'

export const DaysChoice = () => {
  const days = useDays()
  const set = useUrlChange()
  const { timeZone } = useDates()
  const [choosing, setChoosing] = useState(false)
  const today = toLocalDay(serverNow(), timeZone)
  const rangeOf = (preset: Preset): Required<Days> => ({ from: dayBefore(today, PRESETS[preset] - 1), to: today })
  const presets = Object.keys(PRESETS) as Preset[]
  const isSame = ({ from, to }: Days) => from === days.from && to === days.to
  const value: Choice = isSame({}) ? 'all' : (presets.find((preset) => isSame(rangeOf(preset))) ?? 'chosen')
  const change = ({ from = '', to = '' }: Days) => set({ from, to, page: '' })
  return (
    <>
      <Select<Choice>
        label={words.label}
        hideLabel
        value={value}
        options={[
          { value: 'all', label: words.all },
          ...presets.map((preset) => ({ value: preset, label: words[preset] })),
          ...(value === 'chosen' ? [{ value, label: <RangeText days={days} /> }] : []),
          { value: 'choose', label: words.choose },
        ]}
        onChange={(next) => {
          if (next === 'choose') setChoosing(true)
          else if (next !== 'chosen') change(next === 'all' ? {} : rangeOf(next))
        }}
      />
      {choosing ? (
        <DaysDialog
          days={days}
          onSave={(next) => {
            change(next)
            setChoosing(false)
          }}
          onClose={() => setChoosing(false)}
        />
      ) : null}
    </>
  )
}

const RangeText = ({ days: { from, to } }: { days: Days }) => {
  const { timeZone } = useDates()
  const thisYear = toLocalDay(serverNow(), timeZone).slice(0, 4)
  const yearOf = (day: string | undefined) => day?.slice(0, 4)
  // The year is shown once, and not at all if it is this year.
  const text = (day: string | undefined, saysYear: boolean) => day && (saysYear ? calendarDay : shortCalendarDay)(day)
  const isOneYear = yearOf(from) === yearOf(to)
  if (from === to) return words.range(text(from, yearOf(from) !== thisYear), text(to, yearOf(to) !== thisYear))
  return words.range(
    text(from, yearOf(from) !== thisYear && !isOneYear),
    text(to, yearOf(to) !== thisYear || (from !== undefined && !isOneYear)),
  )
}

interface DaysDialogProps {
  days: Days
  onSave: (days: Days) => void
  onClose: () => void
}

const DaysDialog = ({ days, onSave, onClose }: DaysDialogProps) => {
  const [from, setFrom] = useState(days.from ?? '')
  const [to, setTo] = useState(days.to ?? '')
  const isTurned = from !== '' && to !== '' && from > to
  return (
    <SaveDialog
      words={words.dialog}
      description={words.dialog.of}
      note={words.dialog.note}
      busy={false}
      missing={isTurned ? words.turned : null}
      onSave={() => onSave({ from, to })}
      onClose={onClose}
    >
      <div className={styles.days}>
        <TextField label={words.from} type="date" value={from} onType={setFrom} />
        <TextField label={words.to} type="date" value={to} onType={setTo} />
      </div>
    </SaveDialog>
  )
}
