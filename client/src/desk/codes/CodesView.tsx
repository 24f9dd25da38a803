import type { PromoCode } from '@garba/shared/contracts/types/promoCode'
import { formatDecimal } from '@garba/shared/messages/formats'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery } from '@tanstack/react-query'
import { Pause, Play, Plus, Receipt, TicketPercent } from 'lucide-react'
import { useState } from 'react'
import { Link } from 'react-router'
import { StateChip } from '../../kit/Badge.tsx'
import { EmptyState } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { MenuItem } from '../../kit/Menu.tsx'
import { SkeletonRows } from '../../kit/Skeleton.tsx'
import { Td, Th, Tr } from '../../kit/Table.tsx'
import { callServer } from '../../platform/http/call.ts'
import { serverNow } from '../../platform/net/clock.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { useDates } from '../frame/dates.ts'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { CopyItem, MenuTable, PlaceItem, RowMenu } from '../frame/RowMenu.tsx'
import { useChange } from '../frame/useChange.ts'
import { CODES } from '../texts/codes.ts'
import { CodeDialog } from './CodeDialog.tsx'
import styles from './CodesView.module.css'

const words = CODES

export default function CodesView() {
  const query = useQuery(queries.promoCodes())
  const types = useQuery(queries.deskTypes()).data?.types ?? []
  const [making, setMaking] = useState(false)
  const load = { query, failed: words.failed }
  const codes = query.data?.codes ?? []
  const make = (
    <Button size="sm" tone="primary" icon={<Plus />} onClick={() => setMaking(true)}>
      {words.make}
    </Button>
  )
  return (
    <DeskFrame
      title={words.title}
      up={{ to: '../event', label: words.event }}
      actions={
        <>
          <RefreshButton query={load.query} />
          {codes.length === 0 ? null : make}
        </>
      }
    >
      <LoadFailure {...load} />
      {query.isPending ? <SkeletonRows label={words.loading} /> : null}
      {query.data && codes.length === 0 ? (
        <EmptyState level={2} title={words.empty} icon={<TicketPercent />} action={make}>
          {words.emptyText}
        </EmptyState>
      ) : null}
      {codes.length === 0 ? null : (
        <CodesTable codes={codes} nameOf={new Map(types.map(({ id, name }) => [id, name.en]))} />
      )}
      {making ? <CodeDialog types={types} onClose={() => setMaking(false)} /> : null}
    </DeskFrame>
  )
}

interface CodesTableProps {
  codes: readonly PromoCode[]
  nameOf: ReadonlyMap<string, string>
}

const CodesTable = ({ codes, nameOf }: CodesTableProps) => {
  const { columns } = words
  const head = (
    <>
      <Th>{columns.code}</Th>
      <Th>{columns.does}</Th>
      {nameOf.size > 1 ? <Th>{columns.types}</Th> : null}
      <Th numeric>{columns.used}</Th>
      <Th>{columns.until}</Th>
      <Th>{columns.madeBy}</Th>
      <Th>{columns.state}</Th>
    </>
  )
  return (
    <MenuTable list caption={words.title} head={head}>
      {codes.map((code) => (
        <CodeRow key={code.id} code={code} nameOf={nameOf} />
      ))}
    </MenuTable>
  )
}

const TONES = { counts: 'ok', paused: 'warn', ended: 'info', usedUp: 'info' } as const

const findCodeState = ({ paused, until, used, tickets }: PromoCode): keyof typeof TONES => {
  if (paused) return 'paused'
  if (until !== null && Date.parse(until) <= serverNow().getTime()) return 'ended'
  return tickets !== null && used >= tickets ? 'usedUp' : 'counts'
}

export const describeCode = ({ kind, value }: Pick<PromoCode, 'kind' | 'value'>): string =>
  words.does[kind](kind === 'amount' ? formatRupees(value ?? 0) : formatDecimal(value ?? 0))

const CodeRow = ({ code: promo, nameOf }: { code: PromoCode; nameOf: ReadonlyMap<string, string> }) => {
  const { momentOf, dayOf } = useDates()
  const { id, code, paused, types, until, used, tickets, perPerson, note, createdBy, createdAt } = promo
  const state = findCodeState(promo)
  const orders = `../orders?${new URLSearchParams({ promo: id })}`
  const change = useChange({
    send: () => callServer('changePromoCode', { params: { id }, body: { paused: !paused } }),
    failed: words.changeFailed,
    stale: [KEYS.codes],
  })
  return (
    <Tr>
      <Td place="title" text title={[code, note].filter(Boolean).join(': ')}>
        <span className={styles.code}>{code}</span>
        {note === '' ? null : <span className={styles.note}>{note}</span>}
      </Td>
      <Td label={words.columns.does} place="detail" className={styles.line}>
        {describeCode(promo)}
      </Td>
      {nameOf.size > 1 ? (
        <Td label={words.columns.types}>
          {types === null ? words.allTypes : types.map((of) => nameOf.get(of) ?? '').join(', ')}
        </Td>
      ) : null}
      <Td label={words.columns.used} numeric className={styles.line}>
        <Link to={orders} aria-label={`${words.used(used, tickets)}: ${words.ordersOf(code)}`}>
          {words.used(used, tickets)}
        </Link>
        {perPerson === null ? null : <span className={styles.note}>{words.perPerson(perPerson)}</span>}
      </Td>
      <Td label={words.columns.until} none={until === null} className={styles.line}>
        {until === null ? words.noEnd : momentOf(until)}
      </Td>
      <Td label={words.columns.madeBy} title={dayOf(createdAt)} className={styles.line}>
        {createdBy}
      </Td>
      <Td label={words.columns.state} place="state">
        <StateChip state={TONES[state]}>{words.states[state]}</StateChip>
      </Td>
      <Td corner>
        <RowMenu label={words.moreOf(code)}>
          <PlaceItem to={orders} Icon={Receipt}>
            {words.menu.orders}
          </PlaceItem>
          <CopyItem text={code} toast={words.copied}>
            {words.menu.copy}
          </CopyItem>
          <MenuItem icon={paused ? <Play /> : <Pause />} onSelect={() => change.mutate()}>
            {paused ? words.menu.resume : words.menu.pause}
          </MenuItem>
        </RowMenu>
      </Td>
    </Tr>
  )
}
