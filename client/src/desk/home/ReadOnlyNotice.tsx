import { FIGURES } from '@garba/shared/messages/deskFigures'
import { useQuery } from '@tanstack/react-query'
import { Banner } from '../../kit/Banner.tsx'
import { queries } from '../../platform/queries.ts'

/** Why the server accepts no changes (DECISIONS 9); nothing while it does, or while it does not answer. */
export const ReadOnlyNotice = () => {
  const { data, error } = useQuery(queries.health())
  const why = data?.data.readOnly
  if (why === undefined || error) return null
  return (
    <Banner tone="bad" live="status" title={FIGURES.home.system.readOnly}>
      {why}
    </Banner>
  )
}
