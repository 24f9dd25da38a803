import { SCANNER } from '@garba/shared/messages/scannerScreens'
import { useGate } from '../gate/useGate.ts'
import styles from './Tiles.module.css'

const figure = new Intl.NumberFormat('en-IN')

/** This evening's scans of this device (SPEC 2). */
export const Tiles = () => {
  const { scanned, valid, rejected } = useGate((store) => store.tally)
  return (
    <dl className={styles.tiles}>
      <Tile label={SCANNER.tiles.scanned} value={figure.format(scanned)} />
      <Tile label={SCANNER.tiles.valid} value={figure.format(valid)} />
      <Tile label={SCANNER.tiles.rejected} value={figure.format(rejected)} />
    </dl>
  )
}

const Tile = ({ label, value }: { label: string; value: string }) => (
  <div className={styles.tile}>
    <dt>{label}</dt>
    <dd className="tabular">{value}</dd>
  </div>
)
