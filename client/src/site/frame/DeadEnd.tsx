import { ButtonLink } from '../../kit/ButtonLink.tsx'
import { usePageTitle } from '../../platform/page.ts'
import { Notice } from './Notice.tsx'

interface DeadEndProps {
  title: string
  detail: string
  action: string
  /** The action's target; defaults to the home page. */
  to?: string
  /** Pages outside the dashboards use `secondary`, because their header has the primary action. */
  tone?: 'primary' | 'secondary'
}

/** A page with nothing to show offers one action to go on. */
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
