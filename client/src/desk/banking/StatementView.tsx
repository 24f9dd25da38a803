import { REQUEST_RETRIES } from '@garba/shared/constants'
import {
  CONFIRMED_AT_ONCE,
  type SkippedRow,
  type StatementColumns,
  type StatementLine,
  type StatementMapping,
  type StatementNote,
  statementMappingSchema,
} from '@garba/shared/contracts/money/statement'
import { STATEMENT } from '@garba/shared/messages/money'
import { formatRupees } from '@garba/shared/rules/money'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Landmark } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { EmptyState } from '../../kit/Banner.tsx'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { ConfirmDialog } from '../../kit/Dialog.tsx'
import { Select } from '../../kit/Select.tsx'
import { SkeletonRows } from '../../kit/Skeleton.tsx'
import { type BodyOf, callFile, callServer } from '../../platform/http/call.ts'
import { KEYS, queries } from '../../platform/queries.ts'
import { local } from '../../platform/store/local.ts'
import { DeskFrame, RefreshButton } from '../frame/DeskFrame.tsx'
import { calendarDay, useDates } from '../frame/dates.ts'
import { ExportButton } from '../frame/ExportButton.tsx'
import { DaysChoice, isNarrowed, useDays } from '../frame/fields/DaysChoice.tsx'
import { LoadFailure } from '../frame/LoadedCard.tsx'
import { NoteDialog, SaveDialog } from '../frame/SaveDialog.tsx'
import { useChange, WITH_ORDERS } from '../frame/useChange.ts'
import { DESK } from '../texts/desk.ts'
import { FileButton } from './FileButton.tsx'
import { isUnplaced, LinesTable } from './LinesTable.tsx'
import { readStatementFile } from './readStatementFile.ts'
import styles from './StatementView.module.css'

const words = STATEMENT

interface Chosen extends Omit<StatementColumns, 'success'> {
  csv: string
}

export default function StatementView() {
  const days = useDays()
  const query = useQuery(queries.statementLines(days))
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [asking, setAsking] = useState<readonly string[] | null>(null)
  const [setting, setSetting] = useState<StatementLine | null>(null)
  const [recording, setRecording] = useState<StatementLine | null>(null)
  const { read, add, confirm, record, aside } = useStatement()
  const all = query.data?.lines ?? []
  const lines = all.filter(({ match }) => match !== 'aside')
  const setAside = all.filter(({ match }) => match === 'aside')
  const ready = lines
    .filter(({ match }) => match === 'ready')
    .map(({ id }) => id)
    .slice(0, CONFIRMED_AT_ONCE)
  const load = { query, failed: words.failed }
  return (
    <DeskFrame
      title={words.title}
      actions={
        <>
          <DaysChoice />
          {all.length === 0 ? null : (
            <ExportButton
              fetch={() => callFile('exportStatement', { query: days })}
              name="statement.csv"
              label={words.exportCsv}
            />
          )}
          <RefreshButton query={load.query} />
          <FileButton
            words={{ choose: words.choose, file: words.file }}
            busy={read.isPending}
            onFile={(file) =>
              read.mutate(file, { onSuccess: (answer) => ('problem' in answer ? undefined : setChosen(answer)) })
            }
          />
          {ready.length === 0 ? null : (
            <Button size="sm" tone="primary" onClick={() => setAsking(ready)}>
              {words.confirm(ready.length)}
            </Button>
          )}
        </>
      }
    >
      <p className={styles.intro}>{words.intro}</p>
      <LoadFailure {...load} />
      {add.data ? <OddRows {...add.data} /> : null}
      {query.isPending ? <SkeletonRows label={words.loading} /> : null}
      {query.data && all.length === 0 ? (
        <EmptyState level={2} title={isNarrowed(days) ? words.emptyThen : words.empty} icon={<Landmark />} />
      ) : null}
      {all.length > 0 ? <p role="status">{words.unmatchedLeft(lines.filter(isUnplaced).length)}</p> : null}
      {lines.length > 0 ? (
        <LinesTable
          lines={lines}
          busy={query.isFetching}
          onConfirm={(id) => setAsking([id])}
          onRecord={setRecording}
          onSetAside={setSetting}
        />
      ) : null}
      {setAside.length > 0 ? (
        <AsideLines lines={setAside} busy={aside.isPending} onBack={(id) => aside.mutate({ id, note: null })} />
      ) : null}
      {setting === null ? null : (
        <NoteDialog
          words={words.aside}
          description={words.aside.intro(formatRupees(setting.amount), calendarDay(setting.day))}
          busy={aside.isPending}
          onSave={(note) => aside.mutate({ id: setting.id, note }, { onSuccess: () => setSetting(null) })}
          onClose={() => setSetting(null)}
        />
      )}
      {chosen === null ? null : (
        <ColumnsDialog
          {...chosen}
          busy={add.isPending}
          onSave={(mapping) => add.mutate({ csv: chosen.csv, mapping }, { onSuccess: () => setChosen(null) })}
          onClose={() => setChosen(null)}
        />
      )}
      <ConfirmDialog
        open={asking !== null}
        title={words.confirmTitle(asking?.length ?? 0)}
        confirmLabel={words.confirmYes}
        cancelLabel={words.cancel}
        busy={confirm.isPending}
        onConfirm={() => confirm.mutate([...(asking ?? [])], { onSettled: () => setAsking(null) })}
        onCancel={() => setAsking(null)}
      >
        {words.confirmIntro}
      </ConfirmDialog>
      {recording?.order ? (
        <ConfirmDialog
          open
          title={words.record.title(formatRupees(recording.amount), recording.order.code)}
          confirmLabel={words.record.action}
          cancelLabel={words.cancel}
          busy={record.isPending}
          onConfirm={() => record.mutate(recording, { onSettled: () => setRecording(null) })}
          onCancel={() => setRecording(null)}
        >
          {words.record.text}
        </ConfirmDialog>
      ) : null}
    </DeskFrame>
  )
}

/** Confirmations run one after another, so a long list needs more time (ms). */
const PATIENCE_MS = 120_000

function useStatement() {
  const client = useQueryClient()
  /** The answer has the newest lines of all days; a narrowed list is read again. */
  const show = <A extends { lines: StatementLine[] }>(answer: A): A => {
    client.setQueryData(queries.statementLines().queryKey, { success: true, lines: answer.lines })
    return answer
  }
  const failed = (reason: string) => reason
  const read = useChange({
    send: async (file: File) => {
      const text = await readStatementFile(file)
      return 'problem' in text ? text : { ...(await callServer('readStatement', { body: text })), ...text }
    },
    notMade: (answer) => ('problem' in answer ? answer.problem : null),
    failed,
    stale: [],
  })
  const add = useChange({
    // Safe to repeat: each credit is kept once, and each order confirmed once.
    send: async (body: BodyOf<'importStatement'>) =>
      show(await callServer('importStatement', { body, retries: REQUEST_RETRIES })),
    done: words.imported,
    failed,
    stale: [KEYS.statement],
  })
  const withOrders = [KEYS.statement, ...WITH_ORDERS]
  const confirm = useChange({
    send: async (lines: string[]) => {
      const body = { lines }
      const answer = await callServer('confirmStatement', { body, timeoutMs: PATIENCE_MS, retries: REQUEST_RETRIES })
      const { confirmed, left } = show(answer)
      if (confirmed > 0 || left.length === 0) toast.success(words.confirmed(confirmed))
      if (left.length > 0) toast.error(words.left(left.length))
    },
    failed,
    stale: withOrders,
  })
  const record = useChange({
    // Safe to repeat: the same credit changes nothing more.
    send: ({ amount, utr, order }: StatementLine) =>
      callServer('confirmOrder', {
        params: { code: order?.code ?? '' },
        body: { amount, utr: utr ?? undefined, note: words.note },
        retries: REQUEST_RETRIES,
      }),
    done: ({ order }) => words.record.done(order.code),
    failed,
    stale: withOrders,
  })
  const aside = useChange({
    send: async ({ id, note }: { id: string; note: string | null }) =>
      show(await callServer('setLineAside', { params: { id }, body: { aside: note } })),
    done: (_, { note }) => (note === null ? words.aside.broughtBack : words.aside.done),
    failed,
    stale: [KEYS.statement],
  })
  return { read, add, confirm, record, aside }
}

type Part = Exclude<keyof StatementMapping, 'monthFirst'>
const PARTS = ['date', 'amount', 'direction', 'utr', 'description'] as const satisfies readonly Part[]

interface ColumnsDialogProps extends Omit<StatementColumns, 'success'> {
  busy: boolean
  onSave: (mapping: StatementMapping) => void
  onClose: () => void
}

/** Banks name columns freely, so a person checks the mapping: the last mapping of these columns, or else a guess. */
const ColumnsDialog = ({ columns, mapping, sample, asksDateOrder, busy, onSave, onClose }: ColumnsDialogProps) => {
  const key = `statementColumns:${columns.join('|')}`
  const [chosen, setChosen] = useState<StatementColumns['mapping']>(() => {
    // Each file has its own order of day and month.
    const { monthFirst: _, ...known } = statementMappingSchema.safeParse(local.readJson(key)).data ?? mapping
    return known
  })
  const isOrderMissing = asksDateOrder === true && chosen.monthFirst === undefined
  const whole = isOrderMissing ? undefined : statementMappingSchema.safeParse(chosen).data
  const options = [
    { value: '', label: words.none },
    ...columns.map((name, at) => ({ value: String(at), label: name || words.unnamed(at + 1) })),
  ]
  const choose = (part: Part, value: string) => {
    const { [part]: _, ...rest } = chosen
    setChosen(value === '' ? rest : { ...rest, [part]: Number(value) })
  }
  return (
    <SaveDialog
      words={words.columnsDialog}
      description={words.columnsIntro}
      note={words.columnsNote}
      busy={busy}
      missing={isOrderMissing ? words.dateOrder.missing : whole === undefined ? DESK.missing.columns : null}
      onSave={() => {
        if (whole === undefined) return
        local.writeJson(key, whole)
        onSave(whole)
      }}
      onClose={onClose}
    >
      <div className={styles.columns}>
        {asksDateOrder ? (
          <div>
            <Select
              label={words.dateOrder.label}
              value={chosen.monthFirst === undefined ? '' : String(chosen.monthFirst)}
              options={[
                { value: '', label: words.dateOrder.choose },
                { value: 'false', label: words.dateOrder.dayFirst },
                { value: 'true', label: words.dateOrder.monthFirst },
              ]}
              onChange={(value) => setChosen({ ...chosen, monthFirst: value === '' ? undefined : value === 'true' })}
            />
            <p className={styles.why}>{words.dateOrder.why}</p>
          </div>
        ) : null}
        {PARTS.map((part) => (
          <div key={part}>
            <Select
              label={words.columns[part]}
              value={chosen[part]?.toString() ?? ''}
              options={options}
              onChange={(value) => choose(part, value)}
            />
            <p className={styles.sample}>{getColumnExample(sample, chosen[part])}</p>
          </div>
        ))}
      </div>
    </SaveDialog>
  )
}

const getColumnExample = (sample: readonly (readonly string[])[], column: number | undefined): string =>
  column === undefined ? '' : (sample.map((row) => row[column] ?? '').find((cell) => cell !== '') ?? '')

interface OddRowsProps {
  skipped: number
  skippedRows: readonly SkippedRow[]
  notes?: readonly StatementNote[] | undefined
}

const OddRows = ({ skipped, skippedRows, notes = [] }: OddRowsProps) => {
  const debits = skippedRows.filter(({ why }) => why === 'debit').length
  return (
    <>
      {notes.length === 0 ? null : (
        <Card title={words.notes(notes.length)}>
          <ul className="stack-3">
            {notes.map(({ line, message }) => (
              <li key={line}>
                <strong>{words.skipped.line(line)}</strong>: {message}
              </li>
            ))}
          </ul>
        </Card>
      )}
      {skipped === 0 ? null : (
        <Card title={words.skipped.title(skipped)}>
          <ul className="stack-3">
            {skippedRows.map(({ line, why, cell, text }) =>
              why === 'debit' ? null : (
                <li key={line}>
                  <p>
                    <strong>{words.skipped.line(line)}</strong>: {words.skipped.why[why]}{' '}
                    {cell ? words.skipped.cell(cell) : null}
                  </p>
                  <p className={styles.second}>{text}</p>
                </li>
              ),
            )}
            {debits > 0 ? <li>{words.skipped.debits(debits)}</li> : null}
          </ul>
        </Card>
      )}
    </>
  )
}

interface AsideLinesProps {
  lines: readonly StatementLine[]
  busy: boolean
  onBack: (id: string) => void
}

const AsideLines = ({ lines, busy, onBack }: AsideLinesProps) => {
  const { momentOf } = useDates()
  return (
    <Card title={words.aside.list(lines.length)}>
      <ul className="stack-3">
        {lines.map(({ id, day, amount, text, aside }) => (
          <li key={id} className={styles.asideLine}>
            <div>
              <p>
                <strong>{formatRupees(amount)}</strong>, {calendarDay(day)}: {aside?.note}
              </p>
              <p className={styles.second}>
                {[text, aside && words.aside.by(aside.by, momentOf(aside.at))].filter(Boolean).join(' · ')}
              </p>
            </div>
            <Button
              size="sm"
              disabled={busy}
              aria-label={words.aside.backOf(formatRupees(amount))}
              onClick={() => onBack(id)}
            >
              {words.aside.back}
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  )
}
