import { formatCount } from '@garba/shared/messages/language'
import { SCANNER } from '@garba/shared/messages/scanner'
import { useStored } from '../store/useStored.ts'
import styles from './Tiles.module.css'

/** This evening's scans of this device (SPEC 2). */
export const Tiles = () => {
  const { scanned, valid, rejected } = useStored((store) => store.tally)
  return (
    <dl className={styles.tiles}>
      <Tile label={SCANNER.tiles.scanned} value={formatCount(scanned)} />
      <Tile label={SCANNER.tiles.valid} value={formatCount(valid)} />
      <Tile label={SCANNER.tiles.rejected} value={formatCount(rejected)} />
    </dl>
  )
}

const Tile = ({ label, value }: { label: string; value: string }) => (
  <div className={styles.tile}>
    <dt>{label}</dt>
    <dd className="tabular">{value}</dd>
  </div>
)
