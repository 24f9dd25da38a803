import { paysByLink } from '@garba/shared/contracts/names'
import { STATEMENT } from '@garba/shared/messages/statement'
import { Landmark } from 'lucide-react'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { useConfig } from '../../platform/config.ts'
import { useDeskHome } from '../frame/deskHome.ts'

/** The way to the bank's statement and to a provider's payouts, for the ways to pay that have them. */
export const BankingLinks = () => {
  const home = useDeskHome()
  const upi = useConfig(({ config }) => config?.payments.providers.includes('upi') ?? false)
  const provider = useConfig(({ config }) => config?.payments.providers.some(paysByLink) ?? false)
  const icon = <Landmark aria-hidden="true" />
  return (
    <>
      {upi ? (
        <ButtonLink size="sm" icon={icon} to={`${home}/money/statement`}>
          {STATEMENT.title}
        </ButtonLink>
      ) : null}
      {provider ? (
        <ButtonLink size="sm" icon={icon} to={`${home}/money/payouts`}>
          {STATEMENT.payouts.title}
        </ButtonLink>
      ) : null}
    </>
  )
}
