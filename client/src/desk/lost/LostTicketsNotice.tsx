import { LOST } from '@garba/shared/messages/order'
import { useQuery } from '@tanstack/react-query'
import { SearchCheck } from 'lucide-react'
import { Banner } from '../../kit/Banner.tsx'
import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { queries } from '../../platform/queries.ts'
import { useDeskHome } from '../frame/places.ts'

/** The way to the lost tickets; nothing while none waits. */
export const LostTicketsNotice = () => {
  const home = useDeskHome()
  const { data } = useQuery(queries.lostTickets())
  if (data === undefined || data.waiting === 0) return null
  return (
    <Banner
      tone="warn"
      live="status"
      icon={<SearchCheck aria-hidden="true" />}
      title={LOST.notice(data.waiting)}
      actions={
        <ButtonLink size="sm" to={`${home}/tickets/lost`}>
          {LOST.open}
        </ButtonLink>
      }
    >
      {LOST.noticeText}
    </Banner>
  )
}
