import { ButtonLink } from '../kit/ButtonLink.tsx'
import { usePageTitle } from '../platform/page.ts'
import { Notice } from './Notice.tsx'
import { useWords } from './words.ts'

export const NotFound = () => {
  const { notFound } = useWords().screens
  usePageTitle(notFound.title)
  return (
    <Notice title={notFound.title} detail={notFound.detail}>
      <ButtonLink to="/" tone="primary">
        {notFound.action}
      </ButtonLink>
    </Notice>
  )
}
