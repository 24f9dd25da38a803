import { SHELL } from '@garba/shared/messages/shell'
import { ButtonLink } from '../kit/ButtonLink.tsx'
import { usePageTitle } from '../platform/page.ts'
import { Notice } from './Notice.tsx'

export const NotFound = () => {
  usePageTitle(SHELL.notFound.title)
  return (
    <Notice title={SHELL.notFound.title} detail={SHELL.notFound.detail}>
      <ButtonLink to="/" tone="primary">
        {SHELL.notFound.action}
      </ButtonLink>
    </Notice>
  )
}
