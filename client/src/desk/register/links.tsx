import { ClipboardList, Siren } from 'lucide-react'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { useDeskHome } from '../frame/places.ts'
import { REGISTER } from '../texts/ground.ts'

export const RegisterLink = ({ event }: { event?: string | undefined }) => {
  const home = useDeskHome()
  return (
    <ButtonLink
      size="sm"
      icon={<ClipboardList />}
      to={`${home}/gate/register${event === undefined ? '' : `?event=${event}`}`}
    >
      {REGISTER.open}
    </ButtonLink>
  )
}

export const EveningPapers = () => {
  const home = useDeskHome()
  return (
    <>
      <RegisterLink />
      <ButtonLink size="sm" icon={<Siren />} to={`${home}/gate/evacuation`}>
        {REGISTER.evacuate}
      </ButtonLink>
    </>
  )
}
