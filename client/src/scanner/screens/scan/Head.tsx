import { formatCount } from '@garba/shared/messages/language'
import { getCrowdLevel } from '@garba/shared/rules/event/inside'
import { Square } from 'lucide-react'
import { useUser } from '../../../platform/identity/session.ts'
import { usePairingRow } from '../../core/pairing.ts'
import { useRoster } from '../../store/rosterMemory.ts'
import { useStored } from '../../store/useStored.ts'
import { CROWD } from '../../texts/movement.ts'
import { HEADCOUNT } from '../../texts/phone.ts'
import { SCANNER } from '../../texts/scanner.ts'
import { ScannerMenu } from '../phone/ScannerMenu.tsx'
import styles from './Head.module.css'

export const Head = ({ running, onStop }: { running: boolean; onStop: () => void }) => (
  <header className={styles.head}>
    <div className={styles.title}>
      {running ? (
        <Station />
      ) : (
        <>
          <h1>{SCANNER.title}</h1>
          <p>{SCANNER.subtitle}</p>
        </>
      )}
    </div>
    <PeopleIn />
    {running ? <Stop onStop={onStop} /> : null}
    <ScannerMenu titled={running} />
  </header>
)

export function useStationNames() {
  const user = useUser()
  const pairing = usePairingRow()
  const { name: device, gate: own } = useStored((store) => store.device)
  return {
    where: (pairing ? pairing.device.gate : own) ?? device,
    who: pairing ? pairing.shift?.name : user?.name,
  }
}

const Station = () => {
  const { where, who } = useStationNames()
  return (
    <>
      <h1>{where}</h1>
      <p>{who}</p>
    </>
  )
}

const PeopleIn = () => {
  const { people, inside, capacity } = useRoster()
  // Until somebody leaves or is counted without a code, everybody let in is inside.
  const isCounted = inside !== null && (capacity !== null || inside !== people)
  const count = isCounted ? inside : people
  return count === null ? null : (
    <p className={styles.people} data-crowd={getCrowdLevel(count, capacity)}>
      <strong className="tabular">{formatCount(count)}</strong>{' '}
      {isCounted ? [CROWD.inside, capacity && CROWD.of(capacity)].filter(Boolean).join(' ') : HEADCOUNT.people(count)}
    </p>
  )
}

/** Small, and away from the thumb: a thumb that slips must not end the evening. */
const Stop = ({ onStop }: { onStop: () => void }) => {
  const [short, rest] = SCANNER.stop
  return (
    <button type="button" className={styles.stop} onClick={onStop}>
      <Square />
      <span>
        {short} <span className={styles.rest}>{rest}</span>
      </span>
    </button>
  )
}
