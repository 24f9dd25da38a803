import { ButtonLink } from '../kit/ButtonLink.tsx'
import { usePageTitle } from '../platform/page.ts'
import { Notice } from './Notice.tsx'

interface DeadEndProps {
  title: string
  detail: string
  action: string
  /** Where the action leads; the home page unless given. */
  to?: string
  /** The header of pages outside the dashboards has the primary action. */
  tone?: 'primary' | 'secondary'
}

/** A page with nothing to show, and the way on. */
export const DeadEnd = ({ title, detail, action, to = '/', tone = 'primary' }: DeadEndProps) => {
  usePageTitle(title)
  return (
    <Notice title={title} detail={detail}>
      <ButtonLink to={to} tone={tone}>
        {action}
      </ButtonLink>
    </Notice>
  )
}
