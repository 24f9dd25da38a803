import type { GuestProvider } from '@garba/shared/contracts/names'
import { useId } from 'react'
import { useConfig } from '../../platform/config.ts'
import styles from './PayChoice.module.css'
import { useOrderWords } from './words.ts'

interface PayChoiceProps {
  providers: readonly GuestProvider[]
  chosen: GuestProvider
  disabled: boolean
  onChoose: (provider: GuestProvider) => void
}

export const PayChoice = ({ providers, chosen, disabled, onChoose }: PayChoiceProps) => {
  const { choice, upi } = useOrderWords()
  const name = useId()
  const demo = useConfig(({ config }) => config?.demo ?? false)
  return (
    <div className="stack-3">
      {providers.length < 2 ? null : (
        <fieldset className={styles.ways} disabled={disabled}>
          <legend className={styles.legend}>{choice.title}</legend>
          {providers.map((provider) => (
            <label key={provider} className={styles.way}>
              <input
                type="radio"
                name={name}
                value={provider}
                checked={provider === chosen}
                onChange={() => onChoose(provider)}
              />
              <span>{provider === 'upi' ? choice.upi : choice.link}</span>
            </label>
          ))}
        </fieldset>
      )}
      <p className={styles.soft}>{chosen === 'upi' ? upi.next : choice.next}</p>
      {demo && chosen === 'demo' ? <p className={styles.soft}>{choice.demo}</p> : null}
    </div>
  )
}
