import { SCANNER } from '@garba/shared/messages/scannerScreens'
import { useGate } from '../gate/useGate.ts'
import styles from './Tiles.module.css'

const figure = (n: number) => new Intl.NumberFormat('en-IN').format(n)

/** This evening's scans of this device (SPEC 2). */
export const Tiles = () => {
  const { scanned, valid, rejected } = useGate((store) => store.tally)
  return (
    <dl className={styles.tiles}>
      <Tile label={SCANNER.tiles.scanned} value={figure(scanned)} />
      <Tile label={SCANNER.tiles.valid} value={figure(valid)} />
      <Tile label={SCANNER.tiles.rejected} value={figure(rejected)} />
    </dl>
  )
}

const Tile = ({ label, value }: { label: string; value: string }) => (
  <div className={styles.tile}>
    <dt>{label}</dt>
    <dd className="tabular">{value}</dd>
  </div>
)
