import { type StatementColumns, type StatementMapping, statementMappingSchema } from '@garba/shared/contracts/statement'
import { STATEMENT } from '@garba/shared/messages/statement'
import { useState } from 'react'
import { Select } from '../../kit/Select.tsx'
import { local } from '../../platform/store/local.ts'
import { SaveDialog } from '../frame/SaveDialog.tsx'
import styles from './Banking.module.css'

const words = STATEMENT
type Part = keyof StatementMapping
const PARTS = ['date', 'amount', 'direction', 'utr', 'description'] as const satisfies readonly Part[]

interface ColumnsDialogProps extends Omit<StatementColumns, 'success'> {
  busy: boolean
  onSave: (mapping: StatementMapping) => void
  onClose: () => void
}

/** Banks name their columns as they like: what the same columns held last time, or else a guess, is to be checked. */
export const ColumnsDialog = ({ columns, mapping, sample, busy, onSave, onClose }: ColumnsDialogProps) => {
  const key = `statementColumns:${columns.join('|')}`
  const [chosen, setChosen] = useState<StatementColumns['mapping']>(
    () => statementMappingSchema.safeParse(local.readJson(key)).data ?? mapping,
  )
  const whole = statementMappingSchema.safeParse(chosen).data
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
      disabled={whole === undefined}
      onSave={() => {
        if (whole === undefined) return
        local.writeJson(key, whole)
        onSave(whole)
      }}
      onClose={onClose}
    >
      <div className={styles.columns}>
        {PARTS.map((part) => (
          <div key={part}>
            <Select
              label={words.columns[part]}
              value={chosen[part]?.toString() ?? ''}
              options={options}
              disabled={busy}
              onChange={(value) => choose(part, value)}
            />
            <p className={styles.sample}>{exampleOf(sample, chosen[part])}</p>
          </div>
        ))}
      </div>
    </SaveDialog>
  )
}

/** The first cell of the column that holds something. */
const exampleOf = (sample: readonly (readonly string[])[], column: number | undefined): string =>
  column === undefined ? '' : (sample.map((row) => row[column] ?? '').find((cell) => cell !== '') ?? '')
