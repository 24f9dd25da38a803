import type { StatementColumns, StatementLine } from '@garba/shared/contracts/statement'
import { STATEMENT } from '@garba/shared/messages/statement'
import { useQuery } from '@tanstack/react-query'
import { FileUp, Landmark } from 'lucide-react'
import { type ChangeEvent, useRef, useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { ConfirmDialog } from '../../kit/ConfirmDialog.tsx'
import { EmptyState } from '../../kit/EmptyState.tsx'
import { SkeletonRows } from '../../kit/Skeleton.tsx'
import { queries } from '../../platform/queries.ts'
import { DeskFrame } from '../frame/DeskFrame.tsx'
import { LoadFailure } from '../frame/LoadFailure.tsx'
import { RefreshButton } from '../frame/RefreshButton.tsx'
import { AsideDialog, AsideLines } from './AsideLines.tsx'
import styles from './Banking.module.css'
import { ColumnsDialog } from './ColumnsDialog.tsx'
import { isUnplaced, LinesTable } from './LinesTable.tsx'
import { useStatement } from './useStatement.ts'

const words = STATEMENT

interface Chosen extends Omit<StatementColumns, 'success'> {
  csv: string
}

/** The bank's statement beside the orders that are paid by UPI without a gateway (DECISIONS 7). */
export default function StatementView() {
  const query = useQuery(queries.statementLines())
  const [chosen, setChosen] = useState<Chosen | null>(null)
  const [asking, setAsking] = useState<readonly string[] | null>(null)
  const [setting, setSetting] = useState<StatementLine | null>(null)
  const { read, add, confirm, aside } = useStatement()
  const all = query.data?.lines ?? []
  const lines = all.filter(({ match }) => match !== 'aside')
  const setAside = all.filter(({ match }) => match === 'aside')
  const ready = lines.filter(({ match }) => match === 'ready').map(({ id }) => id)
  const load = { query, failed: words.failed }
  return (
    <DeskFrame
      title={words.title}
      actions={
        <>
          <RefreshButton {...load} />
          <FileButton
            busy={read.isPending}
            onText={(csv) => read.mutate(csv, { onSuccess: (columns) => setChosen({ ...columns, csv }) })}
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
      {query.isPending ? <SkeletonRows label={words.loading} /> : null}
      {query.data && all.length === 0 ? (
        <EmptyState level={2} title={words.empty} icon={<Landmark aria-hidden="true" />} />
      ) : null}
      {all.length > 0 ? <p role="status">{words.unmatchedLeft(lines.filter(isUnplaced).length)}</p> : null}
      {lines.length > 0 ? (
        <LinesTable lines={lines} busy={query.isFetching} onConfirm={(id) => setAsking([id])} onSetAside={setSetting} />
      ) : null}
      {setAside.length > 0 ? (
        <AsideLines lines={setAside} busy={aside.isPending} onBack={(id) => aside.mutate({ id, note: null })} />
      ) : null}
      {setting === null ? null : (
        <AsideDialog
          line={setting}
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
    </DeskFrame>
  )
}

const FileButton = ({ busy, onText }: { busy: boolean; onText: (csv: string) => void }) => {
  const input = useRef<HTMLInputElement>(null)
  const onPick = async ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0]
    if (file) onText(await file.text())
    // The same file may be chosen again.
    target.value = ''
  }
  return (
    <>
      <Button size="sm" icon={<FileUp aria-hidden="true" />} busy={busy} onClick={() => input.current?.click()}>
        {words.choose}
      </Button>
      <input
        ref={input}
        type="file"
        accept=".csv,.txt,text/csv,text/plain"
        aria-label={words.file}
        tabIndex={-1}
        className={styles.input}
        onChange={(event) => void onPick(event)}
      />
    </>
  )
}
