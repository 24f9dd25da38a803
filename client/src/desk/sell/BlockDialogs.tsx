import { NAME_MAX, REASON_MAX, REFERENCE_MAX } from '@garba/shared/constants'
import { DESK_METHODS, type DeskMethod } from '@garba/shared/contracts/names'
import type { Block } from '@garba/shared/contracts/phones/block'
import { formatRupees, toPaise, toRupees } from '@garba/shared/rules/money'
import { readQuantity } from '@garba/shared/rules/orders/sale'
import { quote } from '@garba/shared/rules/pricing'
import { useState } from 'react'
import { Banner } from '../../kit/Banner.tsx'
import { TextField } from '../../kit/Field.tsx'
import { Segments } from '../../kit/Segments.tsx'
import type { BodyOf } from '../../platform/http/call.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { DESK } from '../texts/desk.ts'
import { SELL } from '../texts/orders.ts'
import { OpenDrawer } from './CashCard.tsx'
import styles from './Sell.module.css'

const words = SELL.blocks
const METHODS = DESK_METHODS.map((value) => ({ value, label: SELL.methods[value] }))

type Range = BodyOf<'returnBlock'>

interface RangeState {
  /** null until both numbers are valid. */
  range: Range | null
  fields: { typed: Record<keyof Range, string>; type: (field: keyof Range, value: string) => void; wrong: boolean }
}

/** The range as typed. It starts with the lowest range that is left. */
function useRange({ size, leftRanges }: Block): RangeState {
  const [typed, setTyped] = useState({ from: String(leftRanges[0]?.from ?? 1), to: String(leftRanges[0]?.to ?? 1) })
  const [from, to] = [readQuantity(typed.from), readQuantity(typed.to)]
  const range = from !== null && to !== null && from >= 1 && from <= to && to <= size ? { from, to } : null
  const type = (field: keyof Range, value: string) => setTyped((before) => ({ ...before, [field]: value }))
  return { range, fields: { typed, type, wrong: range === null } }
}

interface RangeFieldsProps {
  fields: RangeState['fields']
  size: number
  busy: boolean
}

const RangeFields = ({ fields: { typed, type, wrong }, size, busy }: RangeFieldsProps) => (
  <div className={styles.pair}>
    {(['from', 'to'] as const).map((field) => (
      <TextField
        key={field}
        label={words[field]}
        inputMode="numeric"
        autoComplete="off"
        value={typed[field]}
        disabled={busy}
        error={wrong && field === 'to' ? words.rangeWrong(size) : undefined}
        onChange={({ target }) => type(field, target.value)}
      />
    ))}
  </div>
)

interface DialogProps<Body> {
  block: Block
  busy: boolean
  onSave: (body: Body) => void
  onClose: () => void
}

/** Sells a range of paper tickets as one order. */
export const ActivateDialog = ({
  block,
  takesMoney,
  hasCash,
  busy,
  onSave,
  onClose,
}: DialogProps<BodyOf<'activateBlock'>> & { takesMoney: boolean; hasCash: boolean | null }) => {
  const { range, fields } = useRange(block)
  const [chosen, setMethod] = useState<DeskMethod>('cash')
  const [name, setName] = useState('')
  const [reason, setReason] = useState('')
  const [reference, setReference] = useState('')
  const method = takesMoney ? chosen : 'complimentary'
  const needsCash = method === 'cash' && hasCash === false
  const body = needsCash
    ? null
    : bodyOf({ range, method, name: name.trim(), reason: reason.trim(), reference: reference.trim() })
  return (
    <SaveDialog
      words={words.activation}
      description={words.activation.of(block.label)}
      note={words.activation.note}
      busy={busy}
      missing={
        body === null
          ? needsCash
            ? DESK.missing.cash
            : range === null
              ? DESK.missing.numbers
              : DESK.missing.reason
          : null
      }
      onSave={() => {
        if (body !== null) onSave(body)
      }}
      onClose={onClose}
    >
      <div className={styles.form}>
        <RangeFields fields={fields} size={block.size} busy={busy} />
        {takesMoney ? (
          <div>
            <p className={styles.label}>{SELL.method}</p>
            <Segments label={SELL.method} value={method} options={METHODS} onChange={setMethod} />
          </div>
        ) : (
          <Banner>{SELL.onlyFree}</Banner>
        )}
        {needsCash ? (
          <Banner tone="warn">
            <p>{SELL.needsCash}</p>
            <OpenDrawer />
          </Banner>
        ) : null}
        {method === 'upi' || method === 'card' ? (
          <TextField
            label={SELL.reference[method]}
            hint={SELL.referenceHint[method]}
            inputMode={method === 'upi' ? 'numeric' : 'text'}
            maxLength={REFERENCE_MAX}
            autoComplete="off"
            value={reference}
            disabled={busy}
            onChange={({ target }) => setReference(target.value)}
          />
        ) : null}
        {method === 'complimentary' ? (
          <TextField
            label={SELL.reason}
            hint={SELL.reasonHint}
            maxLength={REASON_MAX}
            value={reason}
            disabled={busy}
            onChange={({ target }) => setReason(target.value)}
          />
        ) : null}
        <TextField
          label={words.activation.name}
          hint={words.activation.nameHint(block.label)}
          autoComplete="off"
          maxLength={NAME_MAX}
          value={name}
          disabled={busy}
          onChange={({ target }) => setName(target.value)}
        />
        <p role="status" className={styles.sum}>
          {range === null ? '' : sumText(block, range, method)}
        </p>
      </div>
    </SaveDialog>
  )
}

interface Draft {
  range: Range | null
  method: DeskMethod
  name: string
  reason: string
  reference: string
}

/** The request body; null while a required field is missing. */
function bodyOf({ range, method, name, reason, reference }: Draft): BodyOf<'activateBlock'> | null {
  if (range === null || (method === 'complimentary' && reason === '')) return null
  return {
    ...range,
    method,
    ...(name === '' ? {} : { name }),
    ...(method === 'complimentary' ? { reason } : {}),
    ...((method === 'upi' || method === 'card') && reference !== '' ? { reference } : {}),
  }
}

function sumText({ price, groupPrice }: Block, { from, to }: Range, method: DeskMethod): string {
  const quantity = to - from + 1
  if (method === 'complimentary') return SELL.free(quantity)
  const { unitPaise, totalPaise } = quote({
    quantity,
    ticketPricePaise: toPaise(price),
    groupPricePaise: groupPrice === null ? null : toPaise(groupPrice),
  })
  const [each, total] = [unitPaise, totalPaise].map((paise) => formatRupees(toRupees(paise)))
  return SELL.sum({ quantity, each: each ?? '', total: total ?? '' })
}

/** Takes unsold paper tickets back, which voids their numbers for good. */
export const TakeBackDialog = ({ block, busy, onSave, onClose }: DialogProps<Range>) => {
  const { range, fields } = useRange(block)
  return (
    <SaveDialog
      words={words.taking}
      description={words.taking.of(block.label)}
      note={words.taking.note}
      busy={busy}
      missing={range === null ? DESK.missing.numbers : null}
      onSave={() => {
        if (range !== null) onSave(range)
      }}
      onClose={onClose}
    >
      <RangeFields fields={fields} size={block.size} busy={busy} />
    </SaveDialog>
  )
}
