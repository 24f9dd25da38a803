import { GROUP_TIER_FROM, NAME_MAX, PAPER_BLOCK_MAX, REQUEST_RETRIES } from '@garba/shared/constants'
import type { DeskMethod } from '@garba/shared/contracts/names'
import type { Block } from '@garba/shared/contracts/phones/block'
import type { TicketTypeOffer } from '@garba/shared/contracts/types/ticketType'
import { shortenTicketId } from '@garba/shared/messages/common'
import { BLOCK } from '@garba/shared/messages/gate'
import { formatRupees } from '@garba/shared/rules/money'
import { readQuantity } from '@garba/shared/rules/orders/sale'
import { hasSeveralTypes } from '@garba/shared/rules/types/ticketTypes'
import type { UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { Badge } from '../../kit/Badge.tsx'
import { Banner } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { TextField } from '../../kit/Field.tsx'
import { type AnswerOf, type BodyOf, callFile, callServer } from '../../platform/http/call.ts'
import { useRequestKey } from '../../platform/http/unsure.ts'
import { KEYS } from '../../platform/queries.ts'
import { useDates } from '../frame/dates.ts'
import { useDownload } from '../frame/ExportButton.tsx'
import { TypeChoice } from '../frame/fields/TypeFilter.tsx'
import { LoadedCard } from '../frame/LoadedCard.tsx'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import { useChange, WITH_ORDERS } from '../frame/useChange.ts'
import { DESK } from '../texts/desk.ts'
import { SELL } from '../texts/sell.ts'
import { OpenDrawer } from './CashCard.tsx'
import { quoteDeskSale } from './SaleLines.tsx'
import { buildSalePayment, PaymentFields } from './SellForm.tsx'
import styles from './SellView.module.css'

const words = SELL.blocks

interface Counter {
  /** Whether the counter takes cash, UPI and cards; if not, it only gives tickets away. */
  takesMoney: boolean
  /** Whether the seller's cash session is open; null while that is unknown. */
  hasCash: boolean | null
}

interface BlocksCardProps extends Counter {
  types: readonly TicketTypeOffer[]
  query: UseQueryResult<AnswerOf<'blocks'>>
}

export const BlocksCard = ({ query, types, ...counter }: BlocksCardProps) => {
  return (
    <div className={styles.blocks}>
      <LoadedCard query={query} words={words} lines={3}>
        {({ blocks }) => (
          <>
            <p className="soft">{words.explain}</p>
            <MakeBlock types={types} />
            {blocks.length === 0 ? (
              <p className="soft">{words.none}</p>
            ) : (
              <ul className={styles.lines}>
                {blocks.map((block) => (
                  <Line key={block.id} block={block} counter={counter} />
                ))}
              </ul>
            )}
          </>
        )}
      </LoadedCard>
    </div>
  )
}

type Range = BodyOf<'returnBlock'>
const STALE = [...WITH_ORDERS, KEYS.blocks, KEYS.cash]

const MakeBlock = ({ types }: Pick<BlocksCardProps, 'types'>) => {
  // Each code lets one person in.
  const offered = types.filter(({ admits }) => admits === 1)
  const [type, setType] = useState('')
  const [label, setLabel] = useState('')
  const [typed, setTyped] = useState('50')
  const { key, renewKey } = useRequestKey()
  const make = useChange({
    send: (body: BodyOf<'makeBlock'>) => callServer('makeBlock', { body, headers: { 'Idempotency-Key': key } }),
    done: ({ block }) => words.made(block.label),
    failed: words.makeFailed,
    stale: STALE,
    onSettled: renewKey,
  })
  const size = readQuantity(typed)
  const fits = size !== null && size >= 1 && size <= PAPER_BLOCK_MAX
  const name = label.trim()
  return (
    <form
      className={styles.make}
      noValidate
      onSubmit={(submit) => {
        submit.preventDefault()
        if (!fits || name === '' || make.isPending) return
        make.mutate({ label: name, size, ...(type === '' ? {} : { type }) }, { onSuccess: () => setLabel('') })
      }}
    >
      <TextField
        label={words.label}
        hint={words.labelHint}
        autoComplete="off"
        maxLength={NAME_MAX}
        value={label}
        disabled={make.isPending}
        onType={setLabel}
      />
      <TextField
        label={words.size}
        inputMode="numeric"
        autoComplete="off"
        value={typed}
        disabled={make.isPending}
        error={fits ? undefined : words.sizeWrong(PAPER_BLOCK_MAX)}
        onType={setTyped}
      />
      {hasSeveralTypes({ types }) ? (
        <TypeChoice
          types={offered}
          value={type || (offered[0]?.id ?? '')}
          disabled={make.isPending}
          onChange={setType}
        />
      ) : null}
      <Button
        type="submit"
        busy={make.isPending}
        disabled={!fits || name === ''}
        title={name === '' ? DESK.missing.blockName : undefined}
      >
        {make.isPending ? words.making : words.make}
      </Button>
    </form>
  )
}

const Line = ({ block, counter }: { block: Block; counter: Counter }) => {
  const { momentOf } = useDates()
  const [open, setOpen] = useState<'activate' | 'takeBack' | null>(null)
  const { key, renewKey } = useRequestKey()
  const { id, label, kind, type, sold, left, returned, leftRanges, createdAt } = block
  // Kept while its dialog is closed. With the key, a repeat after a lost answer sells the numbers once.
  const activate = useChange({
    send: (body: BodyOf<'activateBlock'>) =>
      callServer('activateBlock', { params: { id }, body, headers: { 'Idempotency-Key': key } }),
    done: ({ order }, range) => words.activated(BLOCK.numbers(range), formatRupees(order.total)),
    failed: words.activateFailed,
    stale: STALE,
    onSettled: renewKey,
  })
  const close = () => setOpen(null)
  return (
    <li className={styles.line}>
      <div>
        <p className={styles.block}>
          {label} {kind === 'device' ? <Badge>{words.inPhone}</Badge> : null}
          {type ? <Badge>{type.name.en}</Badge> : null}
        </p>
        <p className={styles.counts}>
          <span>{words.sold(sold)}</span>
          <span>{words.leftOf(left)}</span>
          {returned === 0 ? null : <span>{words.returned(returned)}</span>}
          <time dateTime={createdAt} className="soft">
            {momentOf(createdAt)}
          </time>
        </p>
        {left === 0 ? null : <p className="soft">{words.numbersLeft(leftRanges.map(BLOCK.numbers).join(', '))}</p>}
      </div>
      {kind === 'paper' ? (
        <div className="wrap-2">
          <SheetButton block={block} />
          {left === 0 ? null : (
            <>
              <Button size="sm" aria-label={words.activateOf(label)} onClick={() => setOpen('activate')}>
                {words.activate}
              </Button>
              <Button size="sm" tone="ghost" aria-label={words.takeBackOf(label)} onClick={() => setOpen('takeBack')}>
                {words.takeBack}
              </Button>
            </>
          )}
        </div>
      ) : null}
      {open === 'activate' ? (
        <ActivateDialog
          block={block}
          {...counter}
          busy={activate.isPending}
          onSave={(body) => activate.mutate(body, { onSuccess: close })}
          onClose={close}
        />
      ) : null}
      {open === 'takeBack' ? <TakeBackDialog block={block} onClose={close} /> : null}
    </li>
  )
}

const SheetButton = ({ block: { id, label } }: { block: Block }) => {
  const sheet = useDownload({
    fetch: () => callFile('blockSheet', { params: { id } }),
    name: `paper-tickets-${shortenTicketId(id)}.pdf`,
    done: words.sheetSaved,
    failed: words.sheetFailed,
  })
  return (
    <Button size="sm" busy={sheet.isPending} aria-label={words.sheetOf(label)} onClick={() => sheet.mutate()}>
      {words.sheet}
    </Button>
  )
}

function useRange({ size, leftRanges }: Block) {
  const [typed, setTyped] = useState({ from: String(leftRanges[0]?.from ?? 1), to: String(leftRanges[0]?.to ?? 1) })
  const [from, to] = [readQuantity(typed.from), readQuantity(typed.to)]
  const range: Range | null =
    from !== null && to !== null && from >= 1 && from <= to && to <= size ? { from, to } : null
  const fields = (
    <div className={styles.pair}>
      {(['from', 'to'] as const).map((field) => (
        <TextField
          key={field}
          label={words[field]}
          inputMode="numeric"
          autoComplete="off"
          value={typed[field]}
          error={range === null && field === 'to' ? words.rangeWrong(size) : undefined}
          onType={(value) => setTyped((before) => ({ ...before, [field]: value }))}
        />
      ))}
    </div>
  )
  return { range, fields }
}

interface ActivateDialogProps extends Counter {
  block: Block
  busy: boolean
  onSave: (body: BodyOf<'activateBlock'>) => void
  onClose: () => void
}

const ActivateDialog = ({ block, takesMoney, hasCash, busy, onSave, onClose }: ActivateDialogProps) => {
  const { range, fields } = useRange(block)
  const [chosen, setMethod] = useState<DeskMethod>('cash')
  const [draft, setDraft] = useState({ name: '', reason: '', reference: '' })
  const field = (of: keyof typeof draft) => ({
    value: draft[of],
    onType: (typed: string) => setDraft((before) => ({ ...before, [of]: typed })),
  })
  const method = takesMoney ? chosen : 'complimentary'
  const needsCash = method === 'cash' && hasCash === false
  const quantity = range === null ? null : range.to - range.from + 1
  // The numbers do not say whether somebody bought them together, and that decides the price.
  const isAsked =
    method !== 'complimentary' &&
    (quantity ?? 0) >= GROUP_TIER_FROM &&
    block.groupPrice !== null &&
    block.groupPrice !== block.price
  const [sold, setSold] = useState<'singly' | 'group' | null>(null)
  const singly = isAsked && sold === 'singly'
  const prices = { ticketPrice: block.price, groupPrice4: singly ? null : block.groupPrice }
  const payment = buildSalePayment(method, draft)
  const name = draft.name.trim()
  return (
    <SaveDialog
      words={words.activation}
      description={words.activation.of(block.label)}
      note={words.activation.note}
      busy={busy}
      missing={
        needsCash
          ? DESK.missing.cash
          : range === null
            ? DESK.missing.numbers
            : payment === null
              ? DESK.missing.reason
              : isAsked && sold === null
                ? DESK.paperSold.missing
                : null
      }
      onSave={() => {
        if (range && payment)
          onSave({ ...range, ...payment, ...(singly && { singly }), ...(name === '' ? {} : { name }) })
      }}
      onClose={onClose}
    >
      <div className="stack-4">
        {fields}
        {isAsked ? (
          <fieldset className={styles.asked}>
            <legend>{DESK.paperSold.title}</legend>
            {(['singly', 'group'] as const).map((how) => (
              <label key={how} className={styles.choice}>
                <input type="radio" name="sold" checked={sold === how} onChange={() => setSold(how)} />
                {DESK.paperSold[how](formatRupees((how === 'singly' ? block.price : block.groupPrice) ?? block.price))}
              </label>
            ))}
          </fieldset>
        ) : null}
        <PaymentFields {...{ takesMoney, method }} onMethod={setMethod} field={field}>
          {needsCash ? (
            <Banner tone="warn">
              <p>{SELL.needsCash}</p>
              <OpenDrawer />
            </Banner>
          ) : null}
        </PaymentFields>
        <TextField
          label={words.activation.name}
          hint={words.activation.nameHint(block.label)}
          autoComplete="off"
          maxLength={NAME_MAX}
          {...field('name')}
        />
        <p role="status" className={styles.sum}>
          {isAsked && sold === null ? null : quoteDeskSale(prices, { quantity, method })?.text}
        </p>
      </div>
    </SaveDialog>
  )
}

const TakeBackDialog = ({ block, onClose }: Pick<ActivateDialogProps, 'block' | 'onClose'>) => {
  const { range, fields } = useRange(block)
  const takeBack = useChange({
    send: (body: Range) => callServer('returnBlock', { params: { id: block.id }, body, retries: REQUEST_RETRIES }),
    done: (_, range) => words.takenBack(BLOCK.numbers(range)),
    failed: words.takeBackFailed,
    stale: STALE,
  })
  return (
    <SaveDialog
      words={words.taking}
      description={words.taking.of(block.label)}
      note={words.taking.note}
      busy={takeBack.isPending}
      missing={range === null ? DESK.missing.numbers : null}
      onSave={() => {
        if (range !== null) takeBack.mutate(range, { onSuccess: onClose })
      }}
      onClose={onClose}
    >
      {fields}
    </SaveDialog>
  )
}
