import type { Evening } from '@garba/shared/contracts/desk'
import { HOMES } from '@garba/shared/contracts/pages'
import { GATE } from '@garba/shared/messages/gate'
import { formatCount } from '@garba/shared/messages/language'
import { enteredLately } from '@garba/shared/rules/entries'
import { useState } from 'react'
import { Button } from '../../kit/Button.tsx'
import { Card } from '../../kit/Card.tsx'
import { Table, Td, Th, Tr } from '../../kit/Table.tsx'
import { useDeskHome } from '../frame/deskHome.ts'
import styles from './Evening.module.css'
import { GateCharts } from './GateCharts.tsx'
import { GatesDialog } from './GatesDialog.tsx'

/** How many came in at each gate, when, and how many lately. Admins name the gates here and say what each takes. */
export const Gates = ({ evening }: { evening: Pick<Evening, 'gates' | 'perMinute' | 'at'> }) => {
  const { gates, at } = evening
  const isAdmin = useDeskHome() === HOMES.admin
  const [editing, setEditing] = useState(false)
  const head = (
    <>
      <Th>{GATE.column}</Th>
      <Th numeric>{GATE.admitted}</Th>
      <Th numeric>{GATE.lastTen}</Th>
    </>
  )
  return (
    <Card
      title={GATE.title}
      actions={
        isAdmin ? (
          <Button size="sm" onClick={() => setEditing(true)}>
            {GATE.edit}
          </Button>
        ) : null
      }
    >
      {gates.length === 0 ? (
        <p className={styles.soft}>{GATE.none}</p>
      ) : (
        <Table caption={GATE.title} head={head}>
          {gates.map(({ name, admitted, perMinute }) => (
            <Tr key={name}>
              <Td label={GATE.column} wide text title={name}>
                {name}
              </Td>
              <Td label={GATE.admitted} numeric>
                {formatCount(admitted)}
              </Td>
              <Td label={GATE.lastTen} numeric>
                {formatCount(enteredLately({ perMinute, at }))}
              </Td>
            </Tr>
          ))}
        </Table>
      )}
      <GateCharts {...evening} />
      {editing ? <GatesDialog onClose={() => setEditing(false)} /> : null}
    </Card>
  )
}
